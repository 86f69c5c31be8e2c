import { useSignal } from '@preact/signals';
import type { FaultResource, Scenario } from 'ofage/mock';
import type { JSX } from 'preact';
import { attempt } from '../../shared/console/announce.tsx';
import { Badge, Field, Panel } from '../../shared/console/parts.tsx';
import { toCount } from '../endpoint-view.ts';
import { toRoughDuration } from '../relative-time.ts';
import { toNumberOrText } from '../settings-change.ts';
import { Loaded } from './bits.tsx';
import type { Desk } from './desk.ts';
import { Form, useSubmission } from './form.tsx';
import { useLive } from './use-live.ts';

interface Items<T> {
  readonly items: readonly T[];
}

/** The outcomes that the next sessions take by themselves. */
export function NextOutcomes({ desk }: { desk: Desk }): JSX.Element {
  const { provider, tenant } = desk;
  const path = `/tenants/${tenant.id}/next-outcomes`;
  const chosen = useSignal('verified');
  const submission = useSubmission(['outcomes']);
  // A session that begins takes the first one.
  const queue = useLive(provider, ['session'], tenant.id, async () => {
    const [queued, scenarios] = await Promise.all([
      provider.control<Items<string>>('GET', path),
      provider.control<Items<Scenario & { name: string }>>('GET', '/scenarios'),
    ]);
    return { queued: queued.items, scenarios: scenarios.items };
  });
  const add = (): void =>
    void submission.run(async () => {
      await provider.control('POST', path, { outcomes: [chosen.value] });
      await queue.reload();
    }, `Queued: ${chosen.value}`);
  const clear = async (): Promise<void> => {
    await attempt(() => provider.control('DELETE', path));
    await queue.reload();
  };
  return (
    <Panel
      title="Outcomes of the next sessions"
      testId="next-outcomes"
      actions={
        (queue.data.value?.queued.length ?? 0) > 0 && (
          <button type="button" class="button button--small" onClick={() => void clear()}>
            Empty the queue
          </button>
        )
      }
    >
      <Loaded live={queue}>
        {({ queued, scenarios }) => (
          <>
            {queued.length === 0 ? (
              <p class="empty">The queue is empty: the shopper decides on the hosted page.</p>
            ) : (
              <ol class="tags" aria-label="Queued outcomes, the next one first">
                {queued.map((name, index) => (
                  <li key={`${index} ${name}`} class="tag">
                    {index + 1}. {name}
                  </li>
                ))}
              </ol>
            )}
            <Form submission={submission} submit="Add to the queue" onSubmit={add}>
              <Field label="Outcome" problem={submission.problems.value.of('outcomes')}>
                {(ids) => (
                  <select
                    {...ids}
                    class="input"
                    data-testid="next-outcome"
                    value={chosen.value}
                    onChange={(event) => (chosen.value = event.currentTarget.value)}
                  >
                    {scenarios.map(({ name, title }) => (
                      <option key={name} value={name}>
                        {title} ({name})
                      </option>
                    ))}
                  </select>
                )}
              </Field>
            </Form>
          </>
        )}
      </Loaded>
    </Panel>
  );
}

const OPERATIONS = [
  { name: 'create', label: 'Create a session' },
  { name: 'validate', label: 'Validate a session' },
  { name: 'hosted', label: 'What the hosted page asks' },
  { name: 'webhook', label: 'Deliver a webhook' },
] as const;

const COMMON_KINDS = [
  { name: '429', label: '429 Too Many Requests' },
  { name: '500', label: '500 Internal Server Error' },
  { name: '503', label: '503 Service Unavailable' },
  { name: 'slow', label: 'a slow answer' },
] as const;

const API_KINDS = [
  ...COMMON_KINDS,
  { name: 'malformed', label: 'an answer that breaks off' },
] as const;

const WEBHOOK_KINDS = [
  { name: '401', label: '401 Unauthorized' },
  { name: '410', label: '410 Gone' },
  ...COMMON_KINDS,
  { name: 'hang', label: 'no answer' },
  { name: 'reset', label: 'the connection breaks' },
  { name: 'duplicate', label: 'accepted, and the answer is lost' },
] as const;

/** What the next calls of the API, or the next webhooks, are answered instead. */
export function Faults({ desk }: { desk: Desk }): JSX.Element {
  const { provider, tenant } = desk;
  const draft = useSignal({ operation: 'create', fault: '500', count: '1', delay: '20000' });
  const submission = useSubmission(['operation', 'fault', 'count', 'delayMs']);
  const problems = submission.problems.value;
  const faults = useLive(provider, ['fault'], tenant.id, async () => {
    const { items } = await provider.control<Items<FaultResource>>('GET', '/faults');
    return items.filter(({ tenantId }) => tenantId === null || tenantId === tenant.id);
  });
  const change = (values: Partial<typeof draft.value>): void => {
    draft.value = { ...draft.value, ...values };
  };
  const add = (): void => {
    const { operation, fault, count, delay } = draft.value;
    void submission.run(async () => {
      await provider.control('POST', '/faults', {
        tenantId: tenant.id,
        operation,
        fault,
        count: toNumberOrText(count),
        ...(fault === 'slow' && { delayMs: toNumberOrText(delay) }),
      });
      await faults.reload();
    }, 'Fault added');
  };
  const remove = async (id: string): Promise<void> => {
    await attempt(() => provider.control('DELETE', `/faults/${id}`));
    await faults.reload();
  };
  const { operation, fault, count, delay } = draft.value;
  const isWebhook = operation === 'webhook';
  const kinds = isWebhook ? WEBHOOK_KINDS : API_KINDS;
  return (
    <Panel title="Faults" testId="faults">
      <Loaded live={faults}>
        {(items) =>
          items.length === 0 ? (
            <p class="empty">None: every call, and every webhook, is answered as it should be.</p>
          ) : (
            <ul class="stack">
              {items.map((one) => (
                <li key={one.id} class="row">
                  <Badge tone="warn">{one.fault}</Badge>
                  <span>
                    for the next{' '}
                    {toCount(
                      one.remaining,
                      one.operation === 'webhook' ? 'webhook' : `${one.operation} call`,
                    )}
                    {one.fault === 'slow' && `, after ${toRoughDuration(one.delayMs)}`}
                  </span>
                  <button
                    type="button"
                    class="button button--small"
                    aria-label={`Remove the fault ${one.fault} of ${one.operation}`}
                    onClick={() => void remove(one.id)}
                  >
                    Remove
                  </button>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      <Form submission={submission} submit="Add fault" onSubmit={add}>
        <Field label="Operation" problem={problems.of('operation')}>
          {(ids) => (
            <select
              {...ids}
              class="input"
              data-testid="fault-operation"
              value={operation}
              // Both lists have a 500.
              onChange={(event) => change({ operation: event.currentTarget.value, fault: '500' })}
            >
              {OPERATIONS.map(({ name, label }) => (
                <option key={name} value={name}>
                  {label}
                </option>
              ))}
            </select>
          )}
        </Field>
        <Field label="Answer" problem={problems.of('fault')}>
          {(ids) => (
            <select
              {...ids}
              class="input"
              data-testid="fault-kind"
              value={fault}
              onChange={(event) => change({ fault: event.currentTarget.value })}
            >
              {kinds.map(({ name, label }) => (
                <option key={name} value={name}>
                  {label}
                </option>
              ))}
            </select>
          )}
        </Field>
        <Field
          label={isWebhook ? 'How many attempts' : 'How many calls'}
          problem={problems.of('count')}
        >
          {(ids) => (
            <input
              {...ids}
              class="input input--short"
              inputMode="numeric"
              value={count}
              onInput={(event) => change({ count: event.currentTarget.value })}
            />
          )}
        </Field>
        {fault === 'slow' && (
          <Field
            label="How late, in milliseconds"
            hint={`Of real time. ${isWebhook ? 'A webhook has 15000.' : 'The SDK waits less than 20000.'}`}
            problem={problems.of('delayMs')}
          >
            {(ids) => (
              <input
                {...ids}
                class="input input--short"
                inputMode="numeric"
                value={delay}
                onInput={(event) => change({ delay: event.currentTarget.value })}
              />
            )}
          </Field>
        )}
      </Form>
    </Panel>
  );
}
