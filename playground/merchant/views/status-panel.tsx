import type { ComponentChildren, JSX } from 'preact';
import { Json } from '../../shared/console/parts.tsx';
import { Chip, type Tone } from '../../shared/kit/chip.tsx';
import type { ReceivedWebhook } from '../../shared/shop-api.ts';
import type { Shop } from '../shop.ts';

const TIME = new Intl.DateTimeFormat('en', { timeStyle: 'medium', hourCycle: 'h23' });

/** Shows the browser's hint next to the server's state. */
export function StatusPanel({ shop }: { shop: Shop }): JSX.Element {
  return (
    <details class="panel" open>
      <summary>
        <h2 id="status-title">What happened</h2>
      </summary>
      <SdkEntry shop={shop} />
      <ServerEntry shop={shop} />
      <WebhookEntry webhooks={shop.access.value?.webhooks ?? []} />
      <p class="panel__foot muted">
        Signed in as <code data-testid="customer">{shop.access.value?.customerId ?? '…'}</code>
      </p>
    </details>
  );
}

function SdkEntry({ shop }: { shop: Shop }): JSX.Element {
  const hint = shop.hint.value;
  return (
    <Entry title="The SDK says" tag="a hint" tone="hint">
      <div data-testid="hint" data-status={hint?.status ?? 'none'}>
        {hint ? (
          <>
            <p>
              <strong>{hint.status}</strong> <span class="muted">{hint.from}</span>
            </p>
            {hint.detail !== null && <Json value={hint.detail} label="What the SDK said" />}
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
  );
}

function ServerEntry({ shop }: { shop: Shop }): JSX.Element {
  const access = shop.access.value;
  const decision = shop.decision.value;
  return (
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
  );
}

function WebhookEntry({ webhooks }: { webhooks: readonly ReceivedWebhook[] }): JSX.Element {
  return (
    <Entry title="Webhooks received" tag="signed" tone="truth">
      {webhooks.length > 0 ? (
        <ol class="webhooks" tabIndex={0} aria-label="Webhooks, newest first">
          {webhooks.map(({ receivedAt, event, sessionId, duplicate }) => (
            <li
              key={`${receivedAt} ${event} ${sessionId}`}
              data-testid="webhook"
              data-event={event}
              data-session={sessionId}
              data-duplicate={String(duplicate)}
            >
              <code>{event}</code>
              {duplicate && <Chip tone="warn">again</Chip>}
              <time class="muted" dateTime={receivedAt}>
                {TIME.format(new Date(receivedAt))}
              </time>
            </li>
          ))}
        </ol>
      ) : (
        <p class="muted">None yet.</p>
      )}
    </Entry>
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
