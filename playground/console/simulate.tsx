import { useSignal } from '@preact/signals';
import type { BillingBlock, FaultInput, FaultResource, ScenarioName } from 'ofage-mock';
import type { JSX } from 'preact';
import { Panel } from '../shared/console/parts.tsx';
import { toRoughDuration } from '../shared/duration.ts';
import { Button } from '../shared/kit/button.tsx';
import { Chip, ValueChip } from '../shared/kit/chip.tsx';
import { SelectField } from '../shared/kit/select-field.tsx';
import { TextField } from '../shared/kit/text-field.tsx';
import { announce, attempt } from '../shared/kit/toast.tsx';
import { toCount } from '../../mock-server/words/counts.ts';
import { ATTEMPT_TIMEOUT } from '../../mock-server/words/limits.ts';
import { NONE } from '../../mock-server/words/states.ts';
import { useQuery } from '../shared/use-query.ts';
import type { Context } from './context.ts';
import { Form, readNumber, readText } from './form.tsx';
import { Heading, Loaded, OutcomeField } from './parts.tsx';
import * as queries from './queries.ts';

/** What goes wrong in the next sessions: chosen outcomes, faults, limits and a billing block. */
export function Simulate({ context }: { context: Context }): JSX.Element {
  return (
    <>
      <Heading title="Simulate">
        What goes wrong next: only the mock can do this. Sessions in progress keep their billing
        block.
      </Heading>
      <div class="grid-2">
        <div class="column">
          <NextOutcomes context={context} />
          <Faults context={context} />
        </div>
        <div class="column">
          <Limits context={context} />
        </div>
      </div>
    </>
  );
}

/** The queue of outcomes, of which each new session takes the first. */
function NextOutcomes({ context }: { context: Context }): JSX.Element {
  const { provider, tenant } = context;
  const { client, live } = provider;
  const queue = useQuery(live, queries.nextOutcomes(client, tenant.id));
  const add = async (form: FormData): Promise<void> => {
    const outcome = readText(form, 'outcomes') as ScenarioName;
    await client.queueNextOutcomes(tenant.id, [outcome]);
    announce(`Queued: ${outcome}`);
  };
  return (
    <Panel
      title="Outcomes of the next sessions"
      testId="next-outcomes"
      actions={
        (queue.data?.length ?? 0) > 0 && (
          <Button small onPress={() => attempt(() => client.clearNextOutcomes(tenant.id))}>
            Clear queue
          </Button>
        )
      }
    >
      <Loaded result={queue}>
        {(queued) =>
          queued.length === 0 ? (
            <p class="muted">No queued outcomes. Add one to decide how the next session ends.</p>
          ) : (
            <ol class="tags" aria-label="Queued outcomes, the next one first">
              {queued.map((name, index) => (
                <li key={`${index} ${name}`}>
                  <ValueChip>
                    {index + 1}. {name}
                  </ValueChip>
                </li>
              ))}
            </ol>
          )
        }
      </Loaded>
      <Form submit="Add to queue" save={add} isPrimary>
        <OutcomeField context={context} name="outcomes" testId="next-outcome" />
      </Form>
    </Panel>
  );
}

const OPERATIONS = [
  { value: 'create', text: 'Create a session' },
  { value: 'validate', text: 'Validate a session' },
  { value: 'hosted', text: 'Requests of the hosted page' },
  { value: 'webhook', text: 'Deliver a webhook' },
] as const;

const COMMON_KINDS = [
  { value: '429', text: '429 Too Many Requests' },
  { value: '500', text: '500 Internal Server Error' },
  { value: '503', text: '503 Service Unavailable' },
  { value: 'slow', text: 'Slow response' },
] as const;

const API_KINDS = [...COMMON_KINDS, { value: 'malformed', text: 'Truncated response' }] as const;

const WEBHOOK_KINDS = [
  { value: '401', text: '401 Unauthorized' },
  { value: '410', text: '410 Gone' },
  ...COMMON_KINDS,
  { value: 'hang', text: 'No response' },
  { value: 'reset', text: 'Connection reset' },
  { value: 'duplicate', text: 'Accepted, but the response is lost' },
] as const;

type Operation = (typeof OPERATIONS)[number]['value'];
type FaultKind = (typeof API_KINDS | typeof WEBHOOK_KINDS)[number]['value'];

/** Injects faults into the next API calls or webhooks. */
function Faults({ context }: { context: Context }): JSX.Element {
  const { provider, tenant } = context;
  const { client, live } = provider;
  return (
    <Panel title="Faults" testId="faults">
      <Loaded result={useQuery(live, queries.faults(client, tenant.id))}>
        {(items) =>
          items.length === 0 ? (
            <p class="muted">No faults. Add one to make the next requests fail.</p>
          ) : (
            <ul class="lines">
              {items.map((fault) => (
                <li key={fault.id}>
                  <Fault fault={fault} onRemove={() => client.deleteFault(fault.id)} />
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      <FaultForm context={context} />
    </Panel>
  );
}

function Fault(props: { fault: FaultResource; onRemove: () => Promise<unknown> }): JSX.Element {
  const { operation, fault, remaining, delayMs } = props.fault;
  const noun = operation === 'webhook' ? 'webhook' : `${operation} request`;
  return (
    <>
      <Chip tone="warn">{fault}</Chip>
      <span>
        for the next {toCount(remaining, noun)}
        {fault === 'slow' && `, after ${toRoughDuration(delayMs)}`}
      </span>
      <Button
        small
        aria-label={`Remove the fault ${fault} of ${operation}`}
        onPress={() => attempt(props.onRemove)}
      >
        Remove
      </Button>
    </>
  );
}

function FaultForm({ context }: { context: Context }): JSX.Element {
  const { provider, tenant } = context;
  const operation = useSignal<Operation>('create');
  const fault = useSignal<FaultKind>('500');
  const isWebhook = operation.value === 'webhook';
  const add = async (form: FormData): Promise<void> => {
    const input = {
      tenantId: tenant.id,
      operation: operation.value,
      fault: fault.value,
      count: readNumber(form, 'count'),
      ...(fault.value === 'slow' && { delayMs: readNumber(form, 'delayMs') }),
    };
    // The cast is safe because the lists offer only the faults of the chosen operation.
    await provider.client.addFault(input as FaultInput);
  };
  const reset = (): void => {
    operation.value = 'create';
    fault.value = '500';
  };
  return (
    <Form submit="Add fault" save={add} done="Fault added" onReset={reset}>
      <SelectField
        name="operation"
        label="Operation"
        options={OPERATIONS}
        value="create"
        onValue={(chosen) => {
          operation.value = chosen;
          fault.value = '500';
        }}
        testId="fault-operation"
      />
      <SelectField<FaultKind>
        // The new operation may not support the chosen fault. Every operation supports 500.
        key={isWebhook}
        name="fault"
        label="Fault"
        options={isWebhook ? WEBHOOK_KINDS : API_KINDS}
        value="500"
        onValue={(chosen) => (fault.value = chosen)}
        testId="fault-kind"
      />
      <TextField
        name="count"
        label={isWebhook ? 'Number of attempts' : 'Number of requests'}
        numeric
        value="1"
      />
      {fault.value === 'slow' && (
        <TextField
          name="delayMs"
          label="Delay in milliseconds"
          hint={isWebhook ? `Real time. Webhooks time out after ${ATTEMPT_TIMEOUT}.` : 'Real time.'}
          numeric
          value="20000"
        />
      )}
    </Form>
  );
}

const BILLING_CODES = [
  { value: '', text: NONE },
  { value: 'SUBSCRIPTION_REQUIRED', text: 'Subscription required (SUBSCRIPTION_REQUIRED)' },
  { value: 'PLAN_LIMIT_REACHED', text: 'Plan limit reached (PLAN_LIMIT_REACHED)' },
  { value: 'SANDBOX_LIMIT_REACHED', text: 'Sandbox limit reached (SANDBOX_LIMIT_REACHED)' },
] as const satisfies readonly { value: BillingBlock['code'] | ''; text: string }[];

/** The limits and the billing block of the account, which are saved together. */
function Limits({ context }: { context: Context }): JSX.Element {
  const { provider, tenant } = context;
  const { billingBlock, rateLimits, timeoutAttempts } = tenant;
  /** The chosen code, which is empty for no block. Null while the form shows the saved one. */
  const chosen = useSignal<BillingBlock['code'] | '' | null>(null);
  const code = chosen.value ?? billingBlock?.code ?? '';
  const limits = [
    ['rateLimits.create', 'Create requests per 60 s', rateLimits.create],
    ['rateLimits.validate', 'Validate requests per 60 s', rateLimits.validate],
    ['timeoutAttempts', 'Delivery attempts for session.timeout', timeoutAttempts],
  ] as const;
  const save = async (form: FormData): Promise<void> => {
    await provider.client.updateTenant(tenant.id, {
      rateLimits: {
        create: readNumber(form, 'rateLimits.create'),
        validate: readNumber(form, 'rateLimits.validate'),
      },
      timeoutAttempts: readNumber(form, 'timeoutAttempts'),
      billingBlock: code === '' ? null : readBillingBlock(form, code),
    });
    chosen.value = null;
  };
  return (
    <Panel title="Limits" testId="limits">
      <Form submit="Save limits" save={save} done="Limits saved">
        <p class="muted">All keys share the request limits. Above them, the API returns 429.</p>
        {limits.map(([name, label, value]) => (
          <TextField key={name} name={name} label={label} numeric value={String(value)} />
        ))}
        <SelectField<BillingBlock['code'] | ''>
          name="billingBlock.code"
          label="Billing block"
          hint="While blocked, sessions are created but no verification can start."
          options={BILLING_CODES}
          value={billingBlock?.code ?? ''}
          onValue={(next) => (chosen.value = next)}
          testId="billing-code"
        />
        {code !== '' && (
          <>
            <TextField
              name="billingBlock.message"
              label="Message"
              value={billingBlock?.message ?? 'Verification is not available at the moment'}
            />
            <TextField
              name="billingBlock.portalUrl"
              label="Portal URL"
              hint="The page where you resolve the block (optional)."
              inputMode="url"
              value={billingBlock?.portalUrl ?? ''}
            />
          </>
        )}
      </Form>
    </Panel>
  );
}

function readBillingBlock(form: FormData, code: BillingBlock['code']): BillingBlock {
  const portalUrl = readText(form, 'billingBlock.portalUrl');
  return {
    code,
    message: readText(form, 'billingBlock.message'),
    ...(portalUrl !== '' && { portalUrl }),
  };
}
