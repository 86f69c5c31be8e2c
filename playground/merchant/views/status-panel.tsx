import type { ComponentChildren, JSX } from 'preact';
import { Chip, type Tone } from '../../shared/kit/chip.tsx';
import type { Shop } from '../shop.ts';

const TIME = new Intl.DateTimeFormat('en', { timeStyle: 'medium', hourCycle: 'h23' });

/** What the browser was told, beside what the server knows. */
export function StatusPanel({ shop }: { shop: Shop }): JSX.Element {
  const hint = shop.hint.value;
  const decision = shop.decision.value;
  const access = shop.access.value;
  return (
    <details class="panel" open>
      <summary>
        <h2 id="status-title">What happened</h2>
      </summary>

      <Entry title="The SDK says" tag="a hint" tone="hint">
        <div data-testid="hint" data-status={hint?.status ?? 'none'}>
          {hint ? (
            <>
              <p>
                <strong>{hint.status}</strong> <span class="muted">{hint.from}</span>
              </p>
              {hint.said !== null && <Json value={hint.said} label="What the SDK said" />}
            </>
          ) : (
            <p class="muted">Nothing yet.</p>
          )}
          {shop.callbacks.value.map((callback) => (
            <p key={callback} class="callback" data-testid="callback">
              <code>{callback}</code>
            </p>
          ))}
        </div>
      </Entry>

      <Entry title="The server decides" tag="the truth" tone="truth">
        <div data-testid="access" data-access={String(access?.access ?? false)}>
          <p>
            <strong>{access?.access ? 'Access' : 'No access'}</strong>{' '}
            {access?.since && (
              <span class="muted">
                by {access.by} at {TIME.format(new Date(access.since))}
              </span>
            )}
          </p>
          {decision && (
            <div
              data-testid="decision"
              data-access={String(decision.access)}
              data-problem={decision.problem?.code ?? ''}
            >
              {decision.problem && <p class="problem">{decision.problem.message}</p>}
              {decision.validation && (
                <Json value={decision.validation} label="What validate answered" />
              )}
            </div>
          )}
        </div>
      </Entry>

      <Entry title="Webhooks received" tag="signed" tone="truth">
        {access && access.webhooks.length > 0 ? (
          <ol class="webhooks" tabIndex={0} aria-label="Webhooks, newest first">
            {access.webhooks.map((webhook) => (
              <li
                key={`${webhook.receivedAt} ${webhook.event} ${webhook.sessionId}`}
                data-testid="webhook"
                data-event={webhook.event}
                data-session={webhook.sessionId}
                data-duplicate={String(webhook.duplicate)}
              >
                <code>{webhook.event}</code>
                {webhook.duplicate && <Chip tone="warn">again</Chip>}
                <time class="muted" dateTime={webhook.receivedAt}>
                  {TIME.format(new Date(webhook.receivedAt))}
                </time>
              </li>
            ))}
          </ol>
        ) : (
          <p class="muted">None yet.</p>
        )}
      </Entry>

      <p class="panel__foot muted">
        Signed in as <code data-testid="customer">{access?.customerId ?? '…'}</code>
      </p>
    </details>
  );
}

const TONES = { hint: 'warn', truth: 'good' } as const satisfies Record<string, Tone>;

function Entry(props: {
  title: string;
  tag: string;
  tone: 'hint' | 'truth';
  children: ComponentChildren;
}): JSX.Element {
  return (
    <div class={`entry entry--${props.tone}`}>
      <h3>
        {props.title} <Chip tone={TONES[props.tone]}>{props.tag}</Chip>
      </h3>
      {props.children}
    </div>
  );
}

function Json({ value, label }: { value: unknown; label: string }): JSX.Element {
  return (
    // In the tab order, because it scrolls sideways.
    <pre role="region" aria-label={label} tabIndex={0}>
      {JSON.stringify(value, null, 2)}
    </pre>
  );
}
