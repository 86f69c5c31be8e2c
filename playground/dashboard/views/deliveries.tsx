import { useSignal } from '@preact/signals';
import type { AttemptResource, DeliveryResource, EventResource } from 'ofage/mock';
import type { ComponentChildren, JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { Badge, Copy, Json, Moment, TableFrame } from '../../shared/console/parts.tsx';
import { ATTEMPT_TONES, DELIVERY_TONES, describeAttempt, toCount } from '../endpoint-view.ts';
import { toQuery } from '../find-sessions.ts';
import { toRoughDuration } from '../relative-time.ts';
import { Empty, Facts, Loaded, When } from './bits.tsx';
import type { Desk } from './desk.ts';
import { useLive } from './use-live.ts';

const STEP = 20;
const MOST = 1_000;

/** What was sent, newest first, each with its attempts and exact bytes. */
export function Deliveries(props: {
  desk: Desk;
  filter: { readonly sessionId: string } | { readonly endpointId: string };
  /** What stands there while there is none. */
  children: ComponentChildren;
}): JSX.Element {
  const { desk, filter, children } = props;
  const { provider } = desk;
  const limit = useSignal(STEP);
  const query = toQuery({ ...filter, limit: limit.value });
  const page = useLive(provider, ['delivery'], query, () =>
    provider.control<{ items: DeliveryResource[]; next: string | null }>(
      'GET',
      `/deliveries?${query}`,
    ),
  );
  return (
    <Loaded live={page}>
      {({ items, next }) => (
        <>
          {items.length === 0 && <Empty>{children}</Empty>}
          <ul class="stack">
            {items.toReversed().map((delivery) => (
              <li key={delivery.id}>
                <Delivery desk={desk} delivery={delivery} />
              </li>
            ))}
          </ul>
          {next !== null && limit.value < MOST && (
            <button
              type="button"
              class="button"
              onClick={() => (limit.value = Math.min(MOST, limit.value + STEP))}
            >
              Show older
            </button>
          )}
        </>
      )}
    </Loaded>
  );
}

function Delivery({ desk, delivery }: { desk: Desk; delivery: DeliveryResource }): JSX.Element {
  const { nowMs } = desk;
  const isOpen = useSignal(false);
  const { status, event, createdAt, attempts } = delivery;
  const last = attempts.at(-1);
  return (
    <details
      class="more delivery"
      data-testid="delivery"
      data-status={status}
      onToggle={(toggle) => (isOpen.value = toggle.currentTarget.open)}
    >
      <summary>
        <Badge tone={DELIVERY_TONES[status]}>{status}</Badge> <strong>{event}</strong>{' '}
        <span class="muted">
          {toCount(attempts.length, 'attempt')}
          {last && `, the last one: ${describeAttempt(last)}`}
        </span>{' '}
        <When at={createdAt} nowMs={nowMs} />
      </summary>
      {isOpen.value && (
        <div class="delivery__body">
          <DeliveryFacts desk={desk} delivery={delivery} />
          {attempts.length === 0 ? (
            <p class="muted">No attempt yet.</p>
          ) : (
            <Attempts attempts={attempts} />
          )}
          <Body desk={desk} delivery={delivery} />
        </div>
      )}
    </details>
  );
}

function DeliveryFacts({
  desk,
  delivery,
}: {
  desk: Desk;
  delivery: DeliveryResource;
}): JSX.Element {
  const { nowMs } = desk;
  const { sessionId, url, reason, nextAttemptAt, redeliveries, deliveredAt, undeliveredAt } =
    delivery;
  return (
    <Facts
      facts={[
        [
          'Session',
          <a
            key="session"
            class="mono break"
            href={desk.href({ section: 'sessions', id: sessionId })}
          >
            {sessionId}
          </a>,
        ],
        [
          'Address',
          <span key="url" class="break">
            {url}
          </span>,
        ],
        ...(nextAttemptAt === null
          ? []
          : [['Due', <When key="due" at={nextAttemptAt} nowMs={nowMs} />] as const]),
        ...(deliveredAt === null
          ? []
          : [['Delivered', <When key="done" at={deliveredAt} nowMs={nowMs} />] as const]),
        ...(undeliveredAt === null
          ? []
          : [['Given up', <When key="gone" at={undeliveredAt} nowMs={nowMs} />] as const]),
        ...(reason === null ? [] : [['Reason', reason] as const]),
        ['Redelivered', redeliveries === 0 ? 'never' : toCount(redeliveries, 'time')],
        [
          'Event id',
          <span key="event" class="mono break">
            {delivery.eventId}
          </span>,
        ],
      ]}
    />
  );
}

function Attempts({ attempts }: { attempts: readonly AttemptResource[] }): JSX.Element {
  return (
    <TableFrame label="Attempts">
      <table class="table" data-testid="attempts">
        <thead>
          <tr>
            <th scope="col">No.</th>
            <th scope="col">Outcome</th>
            <th scope="col">Status</th>
            <th scope="col">Error</th>
            <th scope="col">Took</th>
            <th scope="col">Retry-After</th>
            <th scope="col">Began</th>
            <th scope="col">Body SHA-256</th>
          </tr>
        </thead>
        <tbody>
          {attempts.map(
            ({
              n,
              outcome,
              httpStatus,
              error,
              durationMs,
              retryAfterMs,
              startedAt,
              bodySha256,
              hops,
            }) => (
              <tr key={n}>
                <th scope="row">{n}</th>
                <td>
                  {outcome ? (
                    <Badge tone={ATTEMPT_TONES[outcome]}>{outcome}</Badge>
                  ) : (
                    <Badge tone="accent">under way</Badge>
                  )}
                </td>
                <td>
                  {httpStatus ?? '–'}
                  {hops > 0 && ` after ${toCount(hops, 'redirect')}`}
                </td>
                <td>{error ?? '–'}</td>
                <td class="nowrap">{durationMs === null ? '–' : toRoughDuration(durationMs)}</td>
                <td class="nowrap">
                  {retryAfterMs === null ? '–' : toRoughDuration(retryAfterMs)}
                </td>
                <td class="nowrap">
                  <Moment at={startedAt} />
                </td>
                <td class="mono" title={bodySha256 ?? undefined}>
                  {bodySha256 === null ? '–' : `${bodySha256.slice(0, 12)}…`}
                </td>
              </tr>
            ),
          )}
        </tbody>
      </table>
    </TableFrame>
  );
}

/** The exact text that is sent: every attempt sends the same. */
function Body({ desk, delivery }: { desk: Desk; delivery: DeliveryResource }): JSX.Element {
  const { provider } = desk;
  const { sessionId, eventId, event, attempts } = delivery;
  const body = useLive(provider, ['event'], eventId, async () => {
    const path = `/events?sessionId=${encodeURIComponent(sessionId)}`;
    const { items } = await provider.control<{ items: EventResource[] }>('GET', path);
    return { text: items.find(({ id }) => id === eventId)?.body ?? null };
  });
  // An event gets its bytes with its first attempt.
  useEffect(() => void body.reload(), [attempts.length]);
  return (
    <Loaded live={body}>
      {({ text }) =>
        text === null ? (
          <p class="muted">It gets its bytes when it is first sent.</p>
        ) : (
          <div class="delivery__bytes">
            <div class="row">
              <h3>Body, byte for byte</h3>
              <Copy text={text} what={`body of ${event}`}>
                Copy body
              </Copy>
            </div>
            <Json value={text} label={`Body of ${event}`} />
          </div>
        )
      }
    </Loaded>
  );
}
