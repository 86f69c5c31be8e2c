import type { FaultInput, FaultResource } from 'ofage/mock';
import type { ControlClient } from 'ofage/mock/client';
import type { JSX } from 'preact';
import { Panel } from '../../shared/console/parts.tsx';
import { Button } from '../../shared/kit/button.tsx';
import { Chip } from '../../shared/kit/chip.tsx';
import { EmptyState } from '../../shared/kit/empty-state.tsx';
import { SelectField } from '../../shared/kit/select-field.tsx';
import { TextField } from '../../shared/kit/text-field.tsx';
import { attempt } from '../../shared/kit/toast.tsx';
import { toCount } from '../../shared/to-count.ts';
import { toRoughDuration } from '../../shared/duration.ts';
import { toNumberOrText } from '../settings-change.ts';
import { LoadedList } from './bits.tsx';
import type { AppContext } from './app-context.ts';
import { Form } from './form.tsx';
import { useForm } from './use-form.ts';
import { useOwnFaults } from './use-own-faults.ts';

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
  { value: 'slow', text: 'slow response' },
] as const;

const API_KINDS = [...COMMON_KINDS, { value: 'malformed', text: 'truncated response' }] as const;

const WEBHOOK_KINDS = [
  { value: '401', text: '401 Unauthorized' },
  { value: '410', text: '410 Gone' },
  ...COMMON_KINDS,
  { value: 'hang', text: 'no response' },
  { value: 'reset', text: 'connection reset' },
  { value: 'duplicate', text: 'accepted, but the response is lost' },
] as const;

interface FaultDraft {
  readonly operation: (typeof OPERATIONS)[number]['value'];
  readonly fault: (typeof API_KINDS | typeof WEBHOOK_KINDS)[number]['value'];
  readonly count: string;
  readonly delayMs: string;
}

/** Shows the panel that injects faults into the next API calls or webhooks. */
export function Faults({ context }: { context: AppContext }): JSX.Element {
  const { client } = context.provider;
  const none = 'No faults. Add one to make the next requests fail.';
  return (
    <Panel title="Faults" testId="faults">
      <LoadedList live={useOwnFaults(context)} empty={<EmptyState title={none} />}>
        {(items) => (
          <ul class="stack">
            {items.map((fault) => (
              <li key={fault.id} class="row">
                <Fault client={client} fault={fault} />
              </li>
            ))}
          </ul>
        )}
      </LoadedList>
      <FaultForm client={client} tenantId={context.tenant.id} />
    </Panel>
  );
}

function Fault(props: { client: ControlClient; fault: FaultResource }): JSX.Element {
  const { id, operation, fault, remaining, delayMs } = props.fault;
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
        onPress={() => attempt(() => props.client.deleteFault(id))}
      >
        Remove
      </Button>
    </>
  );
}

function FaultForm(props: { client: ControlClient; tenantId: string }): JSX.Element {
  const { client, tenantId } = props;
  const { draft, submission, field } = useForm<FaultDraft>({
    operation: 'create',
    fault: '500',
    count: '1',
    delayMs: '20000',
  });
  const { operation, fault, count, delayMs } = draft.value;
  const isWebhook = operation === 'webhook';
  const add = (): void => {
    const input = {
      tenantId,
      operation,
      fault,
      count: toNumberOrText(count),
      ...(fault === 'slow' && { delayMs: toNumberOrText(delayMs) }),
    };
    // The cast is safe because the lists offer only the faults of the chosen operation.
    void submission.run(() => client.addFault(input as FaultInput), 'Fault added');
  };
  return (
    <Form submission={submission} submit="Add fault" onSubmit={add}>
      <SelectField
        label="Operation"
        error={field('operation').error}
        options={OPERATIONS}
        value={operation}
        // The new operation may not support the chosen fault. Every operation supports 500.
        onValue={(operation) => (draft.value = { ...draft.value, operation, fault: '500' })}
        testId="fault-operation"
      />
      <SelectField
        label="Fault"
        options={isWebhook ? WEBHOOK_KINDS : API_KINDS}
        bind={field('fault')}
        testId="fault-kind"
      />
      <TextField
        label={isWebhook ? 'Number of attempts' : 'Number of requests'}
        numeric
        bind={field('count')}
      />
      {fault === 'slow' && (
        <TextField
          label="Delay in milliseconds"
          hint={`Real time. ${isWebhook ? 'Webhooks time out after 15,000.' : 'The SDK times out after 15,000.'}`}
          numeric
          bind={field('delayMs')}
        />
      )}
    </Form>
  );
}
