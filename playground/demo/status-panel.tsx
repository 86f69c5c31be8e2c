import type { ComponentChildren, JSX } from 'preact';
import { formatTimeOfDay } from '../../mock-server/words/times.ts';
import { Json } from '../shared/console/parts.tsx';
import { Chip, type Tone } from '../shared/kit/chip.tsx';
import { siteUrl } from '../shared/site.ts';
import type { AccessState } from '../shop/api.ts';
import type { Guide } from './guide.ts';
import { Panel } from './panel.tsx';
import { Problem } from './problem.tsx';
import type { DemoShop } from './demo-shop.ts';
import { sortFields } from './decision-fields.ts';
import { type WebhookRow, toWebhookRows } from './webhook-rows.ts';

/** Shows the browser's hint next to the server's state. */
export function StatusPanel({ shop, guide }: { shop: DemoShop; guide: Guide | null }): JSX.Element {
  return (
    <Panel id="what-happened" title="What happened">
      <SdkEntry shop={shop} />
      <ServerEntry shop={shop} />
      <WebhookEntry
        rows={toWebhookRows(shop.access.value?.webhooks ?? [], guide?.deliveries.value ?? [])}
      />
      <p class="panel__foot muted">
        Signed in as <code data-testid="customer">{shop.access.value?.customerId ?? '…'}</code>. All
        times are UTC on the service’s clock.
      </p>
    </Panel>
  );
}

function SdkEntry({ shop }: { shop: DemoShop }): JSX.Element {
  const hint = shop.hint.value;
  return (
    <Entry title="The SDK says" tag="a hint" tone="warn">
      <div data-testid="hint" data-status={hint?.status ?? 'none'}>
        {hint ? (
          <>
            <p>
              <strong>{hint.status}</strong> <span class="muted">{hint.from}</span>
            </p>
            {hint.detail !== null && <Detail value={hint.detail} label="Result of the SDK" />}
            {hint.sessionId !== undefined && (
              <p>
                <a href={toForgedReturn(hint.sessionId)} data-testid="forge-return">
                  Forge the return of this check
                </a>
              </p>
            )}
          </>
        ) : (
          <p class="muted">
            Nothing since this page was loaded. The SDK only tells the page that called it.
          </p>
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

function ServerEntry({ shop }: { shop: DemoShop }): JSX.Element {
  const access = shop.access.value;
  const decision = shop.decision.value;
  const toneWithoutAccess = decision ? 'bad' : 'neutral';
  const tone = access?.access ? 'good' : toneWithoutAccess;
  return (
    <Entry title="The server decides" tag="the truth" tone={tone}>
      <div data-testid="access" data-access={String(access?.access ?? false)}>
        <AccessLine access={access} />
        {decision && (
          <div
            data-testid="decision"
            data-access={String(decision.access)}
            data-problem={decision.problem?.code ?? ''}
          >
            {decision.problem && (
              <p class="problem">
                <Problem {...decision.problem} />
              </p>
            )}
            {decision.validation && (
              <Detail
                value={Object.fromEntries(sortFields(decision.validation))}
                label="Result of validateSession"
              />
            )}
          </div>
        )}
      </div>
    </Entry>
  );
}

/** Returns the address that a cheating shopper would type. It opens the return page. */
const toForgedReturn = (sessionId: string): string =>
  siteUrl(`return/?sessionId=${sessionId}&status=verified&timestamp=${Date.now()}`);

const SOURCES = { validate: 'validateSession', webhook: 'signed webhook' } as const;

function AccessLine({ access }: { access: AccessState | null }): JSX.Element {
  if (!access?.access) {
    return (
      <p>
        <strong>No access</strong>
      </p>
    );
  }
  const { since, by } = access;
  return (
    <p>
      <strong class="granted">Access granted</strong>
      {since !== null && by !== null && (
        <span class="granted__by">
          {' '}
          · {SOURCES[by]} · <Clock at={since} />
        </span>
      )}
    </p>
  );
}

function WebhookEntry({ rows }: { rows: readonly WebhookRow[] }): JSX.Element {
  return (
    <Entry title="Webhooks received" tag="signed" tone="neutral">
      {rows.length === 0 ? (
        <p class="muted">None yet.</p>
      ) : (
        <ol class="webhooks" tabIndex={0} aria-label="Webhooks, newest first">
          {rows.map((row) => (
            <WebhookItem key={row.key} row={row} />
          ))}
        </ol>
      )}
    </Entry>
  );
}

function WebhookItem({ row }: { row: WebhookRow }): JSX.Element {
  const { event, sessionId, at, happenedAt, isLate, result } = row;
  return (
    <li
      data-testid={result === 'rejected' ? 'refused-webhook' : 'webhook'}
      data-event={event}
      data-session={sessionId}
      data-duplicate={String(result === 'duplicate')}
    >
      <code>{event}</code>
      {result === 'rejected' && <Chip tone="bad">rejected</Chip>}
      {result === 'duplicate' && <Chip tone="warn">again</Chip>}
      {result === 'redelivered' && <Chip tone="warn">redelivered</Chip>}
      {isLate && (
        <span class="webhooks__late muted small">
          happened at <Clock at={happenedAt} />
        </span>
      )}
      <Clock at={at} />
    </li>
  );
}

/** Shows the time of day of an ISO 8601 time, in UTC. */
function Clock({ at }: { at: string }): JSX.Element {
  return (
    <time dateTime={at} title={at}>
      {formatTimeOfDay(at)}
    </time>
  );
}

/** JSON that the visitor can unfold. */
function Detail({ value, label }: { value: unknown; label: string }): JSX.Element {
  return (
    <details class="detail">
      <summary>{label}</summary>
      <Json value={value} label={label} />
    </details>
  );
}

function Entry(props: {
  title: string;
  tag: string;
  tone: Tone;
  children: ComponentChildren;
}): JSX.Element {
  const { title, tag, tone, children } = props;
  return (
    <div class={`entry tone--${tone}`}>
      <h3>
        {/* The tag says how far to trust the entry, so a refusal does not make it red. */}
        {title} <Chip tone={tone === 'bad' ? 'neutral' : tone}>{tag}</Chip>
      </h3>
      {children}
    </div>
  );
}
