import { useSignal } from '@preact/signals';
import type { FaultInput, ScenarioName } from 'ofage/mock';
import type { JSX } from 'preact';
import { Panel } from '../../shared/console/parts.tsx';
import { Button } from '../../shared/kit/button.tsx';
import { Chip, ValueChip } from '../../shared/kit/chip.tsx';
import { EmptyState } from '../../shared/kit/empty-state.tsx';
import { SelectField } from '../../shared/kit/select-field.tsx';
import { TextField } from '../../shared/kit/text-field.tsx';
import { attempt } from '../../shared/kit/toast.tsx';
import { combine } from '../../shared/live/loadable.ts';
import { useQuery } from '../../shared/live/use-live.ts';
import { toCount } from '../../shared/to-count.ts';
import { nextOutcomes, scenarios } from '../queries.ts';
import { toRoughDuration } from '../relative-time.ts';
import { toNumberOrText } from '../settings-change.ts';
import { Loaded } from './bits.tsx';
import type { Desk } from './desk.ts';
import { Form, useSubmission } from './form.tsx';
import { useOwnFaults } from './use-own-faults.ts';

/** The outcomes that the next sessions take by themselves. */
export function NextOutcomes({ desk }: { desk: Desk }): JSX.Element {
  const { provider, tenant } = desk;
  const { client, live } = provider;
  const chosen = useSignal<ScenarioName>('verified');
  const submission = useSubmission(['outcomes']);
  const queue = useQuery(live, tenant.id, nextOutcomes(client, tenant.id));
  const catalogue = useQuery(live, '', scenarios(client));
  const add = (): void =>
    void submission.run(async () => {
      await client.queueNextOutcomes(tenant.id, [chosen.value]);
      await queue.reload();
    }, `Queued: ${chosen.value}`);
  const clear = async (): Promise<void> => {
    await attempt(() => client.clearNextOutcomes(tenant.id));
    await queue.reload();
  };
  return (
    <Panel
      title="Outcomes of the next sessions"
      testId="next-outcomes"
      actions={
        (queue.data.value?.length ?? 0) > 0 && (
          <Button small onPress={clear}>
            Empty the queue
          </Button>
        )
      }
    >
      <Loaded live={combine({ queued: queue, scenarios: catalogue })}>
        {({ queued, scenarios }) => (
          <>
            {queued.length === 0 ? (
              <EmptyState title="The queue is empty: the shopper decides on the hosted page." />
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
            )}
            <Form submission={submission} submit="Add to the queue" onSubmit={add}>
              <SelectField
                label="Outcome"
                error={submission.problems.value.of('outcomes')}
                options={scenarios.map(({ name, title }) => ({
                  value: name,
                  text: `${title} (${name})`,
                }))}
                bind={chosen}
                testId="next-outcome"
              />
            </Form>
          </>
        )}
      </Loaded>
    </Panel>
  );
}

const OPERATIONS = [
  { value: 'create', text: 'Create a session' },
  { value: 'validate', text: 'Validate a session' },
  { value: 'hosted', text: 'What the hosted page asks' },
  { value: 'webhook', text: 'Deliver a webhook' },
] as const;

const COMMON_KINDS = [
  { value: '429', text: '429 Too Many Requests' },
  { value: '500', text: '500 Internal Server Error' },
  { value: '503', text: '503 Service Unavailable' },
  { value: 'slow', text: 'a slow answer' },
] as const;

const API_KINDS = [
  ...COMMON_KINDS,
  { value: 'malformed', text: 'an answer that breaks off' },
] as const;

const WEBHOOK_KINDS = [
  { value: '401', text: '401 Unauthorized' },
  { value: '410', text: '410 Gone' },
  ...COMMON_KINDS,
  { value: 'hang', text: 'no answer' },
  { value: 'reset', text: 'the connection breaks' },
  { value: 'duplicate', text: 'accepted, and the answer is lost' },
] as const;

interface FaultDraft {
  readonly operation: (typeof OPERATIONS)[number]['value'];
  readonly fault: (typeof API_KINDS | typeof WEBHOOK_KINDS)[number]['value'];
  readonly count: string;
  readonly delay: string;
}

/** What the next calls of the API, or the next webhooks, are answered instead. */
export function Faults({ desk }: { desk: Desk }): JSX.Element {
  const { provider, tenant } = desk;
  const draft = useSignal<FaultDraft>({
    operation: 'create',
    fault: '500',
    count: '1',
    delay: '20000',
  });
  const submission = useSubmission(['operation', 'fault', 'count', 'delayMs']);
  const problems = submission.problems.value;
  const ownFaults = useOwnFaults(desk);
  const change = (values: Partial<typeof draft.value>): void => {
    draft.value = { ...draft.value, ...values };
  };
  const add = (): void => {
    const { operation, fault, count, delay } = draft.value;
    const input = {
      tenantId: tenant.id,
      operation,
      fault,
      count: toNumberOrText(count),
      ...(fault === 'slow' && { delayMs: toNumberOrText(delay) }),
    };
    // Each operation has its own faults, and the lists show only those.
    void submission.run(() => provider.client.addFault(input as FaultInput), 'Fault added');
  };
  const remove = (id: string): Promise<boolean> => attempt(() => provider.client.deleteFault(id));
  const { operation, fault, count, delay } = draft.value;
  const isWebhook = operation === 'webhook';
  return (
    <Panel title="Faults" testId="faults">
      <Loaded live={ownFaults}>
        {(items) =>
          items.length === 0 ? (
            <EmptyState title="None: every call, and every webhook, is answered as it should be." />
          ) : (
            <ul class="stack">
              {items.map((one) => (
                <li key={one.id} class="row">
                  <Chip tone="warn">{one.fault}</Chip>
                  <span>
                    for the next{' '}
                    {toCount(
                      one.remaining,
                      one.operation === 'webhook' ? 'webhook' : `${one.operation} call`,
                    )}
                    {one.fault === 'slow' && `, after ${toRoughDuration(one.delayMs)}`}
                  </span>
                  <Button
                    small
                    aria-label={`Remove the fault ${one.fault} of ${one.operation}`}
                    onPress={() => remove(one.id)}
                  >
                    Remove
                  </Button>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      <Form submission={submission} submit="Add fault" onSubmit={add}>
        <SelectField
          label="Operation"
          error={problems.of('operation')}
          options={OPERATIONS}
          value={operation}
          // Both lists have a 500.
          onValue={(operation) => change({ operation, fault: '500' })}
          testId="fault-operation"
        />
        <SelectField
          label="Answer"
          error={problems.of('fault')}
          options={isWebhook ? WEBHOOK_KINDS : API_KINDS}
          value={fault}
          onValue={(fault) => change({ fault })}
          testId="fault-kind"
        />
        <TextField
          label={isWebhook ? 'How many attempts' : 'How many calls'}
          error={problems.of('count')}
          numeric
          value={count}
          onValue={(count) => change({ count })}
        />
        {fault === 'slow' && (
          <TextField
            label="How late, in milliseconds"
            hint={`Of real time. ${isWebhook ? 'A webhook has 15000.' : 'The SDK waits less than 20000.'}`}
            error={problems.of('delayMs')}
            numeric
            value={delay}
            onValue={(delay) => change({ delay })}
          />
        )}
      </Form>
    </Panel>
  );
}
