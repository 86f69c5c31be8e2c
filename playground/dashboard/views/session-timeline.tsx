import type { EventResource, RequestResource } from 'ofage/mock';
import type { JSX } from 'preact';
import { Moment, Panel } from '../../shared/console/parts.tsx';
import { toRoughDuration } from '../../shared/duration.ts';
import { Button } from '../../shared/kit/button.tsx';
import { Chip } from '../../shared/kit/chip.tsx';
import { EmptyState } from '../../shared/kit/empty-state.tsx';
import { combine } from '../../shared/old-lists.ts';
import { deliveries, eventsOf, requests } from '../../shared/old-lists.ts';
import { useList } from '../../shared/old-lists.ts';
import { type TimelineEntry, toTimeline } from '../session-timeline.ts';
import type { AppContext } from './app-context.ts';
import { LoadedList } from './bits.tsx';
import { Delivery, EventBody } from './deliveries.tsx';

/** The number of requests and of deliveries shown at first. */
const STEP = 100;

/** Shows the requests, events and deliveries of a session in the order in which they happened. */
export function SessionTimeline(props: { context: AppContext; sessionId: string }): JSX.Element {
  const { context, sessionId } = props;
  const lists = {
    requests: useList(context.provider, requests({ sessionId }, STEP)),
    events: useList(context.provider, eventsOf(sessionId)),
    deliveries: useList(context.provider, deliveries({ sessionId }, STEP)),
  };
  const parts = combine(lists);
  const partial = [lists.requests, lists.deliveries].filter(({ hasOlder }) => hasOlder.value);
  const entries = {
    data: {
      get value() {
        return parts.data.value && toTimeline(parts.data.value);
      },
    },
    error: parts.error,
  };
  return (
    <Panel title="Timeline" testId="timeline">
      {partial.length > 0 && (
        <p>
          <Button small onPress={() => Promise.all(partial.map((list) => list.loadOlder()))}>
            Show older entries
          </Button>
        </p>
      )}
      <LoadedList live={entries} empty={<EmptyState title="Nothing is stored for this session." />}>
        {(items) => (
          <ol class="timeline">
            {items.map((entry) => (
              <li
                key={`${entry.kind} ${entry.item.id}`}
                class="timeline__entry"
                data-testid="timeline-entry"
                data-kind={entry.kind}
              >
                <div class="timeline__time">
                  <Moment at={entry.at} />{' '}
                  <span class="muted">{toOffset(entry.at, items[0]?.at ?? entry.at)}</span>
                </div>
                <Entry context={context} entry={entry} />
              </li>
            ))}
          </ol>
        )}
      </LoadedList>
    </Panel>
  );
}

/** Formats the time since the first entry. */
function toOffset(at: string, firstAt: string): string {
  return `+${toRoughDuration(Date.parse(at) - Date.parse(firstAt))}`;
}

function Entry(props: { context: AppContext; entry: TimelineEntry }): JSX.Element {
  const { context, entry } = props;
  switch (entry.kind) {
    case 'request':
      return <Request request={entry.item} />;
    case 'event':
      return <Event event={entry.item} />;
    case 'delivery':
      return <Delivery context={context} delivery={entry.item} isOfSession />;
  }
}

function Request({ request }: { request: RequestResource }): JSX.Element {
  const { status, method, path, credential, durationMs, fault } = request;
  return (
    <div>
      <Chip tone={status < 400 ? 'good' : 'bad'}>{status}</Chip>{' '}
      {fault && <Chip tone="warn">fault</Chip>}{' '}
      <span class="mono">
        {method} {path}
      </span>{' '}
      <span class="muted">
        {credential !== null && <span class="mono">{credential} · </span>}
        {toRoughDuration(durationMs)}
      </span>
    </div>
  );
}

function Event({ event: { event, body } }: { event: EventResource }): JSX.Element {
  return (
    <details class="more">
      <summary>
        <Chip>event</Chip> <strong>{event}</strong>
      </summary>
      <EventBody event={event} text={body} />
    </details>
  );
}
