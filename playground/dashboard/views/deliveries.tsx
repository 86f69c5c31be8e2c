import { useSignal } from '@preact/signals';
import type { AttemptResource, DeliveryResource } from 'ofage/mock';
import type { ComponentChildren, JSX } from 'preact';
import { Copy, Facts, Json, Moment } from '../../shared/console/parts.tsx';
import { DELIVERY_TONES } from '../../shared/console/tones.ts';
import { Button } from '../../shared/kit/button.tsx';
import { Chip } from '../../shared/kit/chip.tsx';
import { EmptyState } from '../../shared/kit/empty-state.tsx';
import { Table } from '../../shared/kit/table.tsx';
import { derive } from '../../shared/old-lists.ts';
import { deliveries, eventsOf } from '../../shared/old-lists.ts';
import { useList } from '../../shared/old-lists.ts';
import { ATTEMPT_TONES, describeDelivery } from '../endpoint-view.ts';
import { toShortId } from '../short-id.ts';
import { toCount } from '../../shared/to-count.ts';
import { toRoughDuration } from '../../shared/duration.ts';
import { Loaded, When } from './bits.tsx';
import type { AppContext } from './app-context.ts';

const STEP = 20;

/** Lists the deliveries to an endpoint, newest first, each with its attempts and its body. */
export function Deliveries(props: {
  context: AppContext;
  filter: { readonly endpointId: string };
  /** Shown when the list is empty. */
  children: ComponentChildren;
}): JSX.Element {
  const { context, filter, children } = props;
  const sent = useList(context.provider, deliveries(filter, STEP));
  return (
    <Loaded live={sent}>
      {(items) => (
        <>
          {items.length === 0 && <EmptyState>{children}</EmptyState>}
          <ul class="stack">
            {items.toReversed().map((delivery) => (
              <li key={delivery.id}>
                <Delivery context={context} delivery={delivery} isOfSession={false} />
              </li>
            ))}
          </ul>
          {sent.hasOlder.value && (
            <div class="row">
              <Button onPress={() => sent.loadOlder()}>Show older</Button>
            </div>
          )}
        </>
      )}
    </Loaded>
  );
}

interface DeliveryProps {
  context: AppContext;
  delivery: DeliveryResource;
}

/** Shows a delivery in one line, with its details on request. */
export function Delivery(props: DeliveryProps & { isOfSession: boolean }): JSX.Element {
  const { context, delivery, isOfSession } = props;
  const { nowMs } = context;
  const isOpen = useSignal(false);
  const { status, event, createdAt, attempts, sessionId, url } = delivery;
  return (
    <details
      class="more delivery"
      data-testid="delivery"
      data-status={status}
      onToggle={(toggle) => (isOpen.value = toggle.currentTarget.open)}
    >
      <summary>
        <Chip tone={DELIVERY_TONES[status]}>{status}</Chip> <strong>{event}</strong>{' '}
        <span class="mono">{isOfSession ? `to ${url}` : `session ${toShortId(sessionId)}`}</span>{' '}
        <span class="muted">{describeDelivery(delivery)}</span>{' '}
        {!isOfSession && <When at={createdAt} nowMs={nowMs} />}
      </summary>
      {isOpen.value && (
        <div class="delivery__body">
          <DeliveryFacts context={context} delivery={delivery} />
          {attempts.length === 0 ? (
            <p class="muted">No attempts.</p>
          ) : (
            <Attempts attempts={attempts} />
          )}
          <Body context={context} delivery={delivery} />
        </div>
      )}
    </details>
  );
}

function DeliveryFacts({ context, delivery }: DeliveryProps): JSX.Element {
  const { nowMs } = context;
  const { sessionId, eventId, endpointId, url, reason, redeliveries } = delivery;
  const { nextAttemptAt, deliveredAt, undeliveredAt } = delivery;
  const session = { section: 'sessions', id: sessionId } as const;
  return (
    <Facts
      facts={[
        [
          'Session',
          <a class="mono" href={context.href(session)}>
            {sessionId}
          </a>,
        ],
        [
          'Endpoint',
          endpointId === null ? (
            url
          ) : (
            <a href={context.href({ section: 'webhooks', id: endpointId })}>{url}</a>
          ),
        ],
        nextAttemptAt !== null && ['Due', <When at={nextAttemptAt} nowMs={nowMs} />],
        deliveredAt !== null && ['Delivered', <When at={deliveredAt} nowMs={nowMs} />],
        undeliveredAt !== null && ['Not delivered', <When at={undeliveredAt} nowMs={nowMs} />],
        reason !== null && ['Reason', reason],
        ['Redelivered', redeliveries === 0 ? 'never' : toCount(redeliveries, 'time')],
        ['Event id', <span class="mono">{eventId}</span>],
      ]}
    />
  );
}

function Attempts({ attempts }: { attempts: readonly AttemptResource[] }): JSX.Element {
  return (
    <Table
      label="Attempts"
      testId="attempts"
      head={['No.', 'Result', 'Status', 'Error', 'Took', 'Retry-After', 'Began', 'Body SHA-256']}
    >
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
                <Chip tone={ATTEMPT_TONES[outcome]}>{outcome}</Chip>
              ) : (
                <Chip tone="accent">in progress</Chip>
              )}
            </td>
            <td>
              {httpStatus ?? '–'}
              {hops > 0 && ` after ${toCount(hops, 'redirect')}`}
            </td>
            <td>{error ?? '–'}</td>
            <td class="nowrap">{durationMs === null ? '–' : toRoughDuration(durationMs)}</td>
            <td class="nowrap">{retryAfterMs === null ? '–' : toRoughDuration(retryAfterMs)}</td>
            <td class="nowrap">
              <Moment at={startedAt} />
            </td>
            <td class="mono" title={bodySha256 ?? undefined}>
              {bodySha256 === null ? '–' : `${bodySha256.slice(0, 12)}…`}
            </td>
          </tr>
        ),
      )}
    </Table>
  );
}

/** Shows the body that every attempt sends, byte for byte. */
function Body({ context, delivery }: DeliveryProps): JSX.Element {
  const { sessionId, eventId, event } = delivery;
  const all = useList(context.provider, eventsOf(sessionId));
  // The body is wrapped in an object, because a plain null would mean that nothing is loaded yet.
  const body = derive(all, (items) => ({
    text: items.find(({ id }) => id === eventId)?.body ?? null,
  }));
  return <Loaded live={body}>{({ text }) => <EventBody event={event} text={text} />}</Loaded>;
}

/** Shows the body of an event. The body is null until the event is first sent. */
export function EventBody(props: { event: string; text: string | null }): JSX.Element {
  const { event, text } = props;
  if (text === null) return <p class="muted">The body is created when the event is first sent.</p>;
  return (
    <div class="delivery__bytes">
      <div class="row">
        <h3>Exact body</h3>
        <Copy text={text} what={`body of ${event}`}>
          Copy body
        </Copy>
      </div>
      <Json value={text} label={`Body of ${event}`} />
    </div>
  );
}
