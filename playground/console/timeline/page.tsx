import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { Copy, ErrorNote, Panel } from '../../shared/console/parts.tsx';
import { downloadFile } from '../../shared/download-file.ts';
import { Button } from '../../shared/kit/button.tsx';
import { CheckField } from '../../shared/kit/check-field.tsx';
import { EmptyState } from '../../shared/kit/empty-state.tsx';
import type { Provider } from '../../shared/provider.ts';
import { siteUrl } from '../../shared/site.ts';
import { formatNumber } from '../../shared/to-count.ts';
import type { Context } from '../context.ts';
import { Heading } from '../parts.tsx';
import { EntryList } from './entry-row.tsx';
import { Filters } from './filters.tsx';
import { SessionState } from './session-state.tsx';
import { type TimelineStore, createTimelineStore } from './store.ts';

/** The number of rows at first, and the number added by each press of Show older. */
const ROWS = 200;
/** The time between two announcements of new entries to screen readers. */
const ANNOUNCE_MS = 4_000;

/**
 * The timelines by provider. Once opened, a timeline goes on while another page is shown, because a list
 * cannot tell later that the clock was moved or that a session was retried.
 */
const stores = new WeakMap<Provider, TimelineStore>();

/** Test ids: timeline, entry, pause, order, clear, save-entries, show-older, count, speak, said. */
export function Timeline({ context }: { context: Context }): JSX.Element {
  const { provider, route } = context;
  const store = stores.get(provider) ?? createTimelineStore(provider);
  stores.set(provider, store);
  useLayoutEffect(() => {
    store.sessionId.value = route.query['session'] ?? null;
    store.text.value = route.query['text'] ?? '';
  }, [route]);
  return (
    <>
      <Heading title="Timeline">
        SDK calls, requests, sessions and webhooks, live and in one list.
      </Heading>
      <ErrorNote text={store.loadError.value} />
      <div class="split split--side">
        <Panel title="Entries" testId="timeline" actions={<Actions store={store} />}>
          <Filters store={store}>
            <Summary store={store} />
          </Filters>
          {store.shown.value.length > 0 ? (
            <Entries store={store} />
          ) : store.entries.value.length > 0 ? (
            <EmptyState title="No entries match the filters." />
          ) : (
            <EmptyState title="No entries yet.">
              <p>
                Verify your age in <a href={siteUrl('')}>the shop</a> in another tab to see them
                here.
              </p>
            </EmptyState>
          )}
        </Panel>
        <SessionPanel context={context} store={store} />
      </div>
    </>
  );
}

/** Shows the chosen session, or the newest one. */
function SessionPanel(props: { context: Context; store: TimelineStore }): JSX.Element {
  const { context, store } = props;
  const { sessionId, sessions } = store;
  const chosen = sessions.value.find(({ id }) => id === sessionId.value);
  const session = chosen ?? sessions.value[0];
  return (
    <Panel title={chosen ? 'Session' : 'Newest session'} testId="session-state">
      {session ? (
        <>
          <div class="row">
            <a class="mono session-id" href={context.href({ page: 'sessions', id: session.id })}>
              {session.id}
            </a>
            <Copy text={session.id} what="session ID" />
          </div>
          <SessionState key={session.id} session={session} nowMs={context.nowMs} />
        </>
      ) : (
        <p class="muted">No sessions yet. Verify your age in the shop to see one here.</p>
      )}
    </Panel>
  );
}

function Actions({ store }: { store: TimelineStore }): JSX.Element {
  const { waiting, isPaused, isNewestFirst } = store;
  return (
    <>
      <Button
        small
        aria-pressed={isPaused.value}
        onPress={() => (isPaused.value = !isPaused.value)}
        testId="pause"
      >
        {isPaused.value ? `Resume${waiting.value > 0 ? ` (${waiting.value} new)` : ''}` : 'Pause'}
      </Button>
      <Button
        small
        aria-pressed={isNewestFirst.value}
        onPress={() => (isNewestFirst.value = !isNewestFirst.value)}
        testId="order"
      >
        Newest first
      </Button>
      <Button
        small
        unavailable={store.shown.value.length === 0}
        onPress={() => saveEntries(store)}
        testId="save-entries"
      >
        Save as file
      </Button>
      <Button small onPress={() => store.clear()} testId="clear">
        Clear
      </Button>
    </>
  );
}

/** Saves the entries on display as JSON, oldest first. */
function saveEntries({ shown }: TimelineStore): void {
  const entries = shown.value.map(({ kind, atMs, title, sessionId, detail }) => ({
    at: new Date(atMs).toISOString(),
    kind,
    title,
    sessionId,
    detail,
  }));
  downloadFile('timeline.json', JSON.stringify(entries, null, 2), 'application/json');
}

function Entries({ store }: { store: TimelineStore }): JSX.Element {
  const { shown, isNewestFirst, sessionId } = store;
  const rows = useSignal(ROWS);
  const frame = useRef<HTMLDivElement>(null);
  // The newest entries stay in view in both orders. The older ones are added on request.
  const older = Math.max(0, shown.value.length - rows.value);
  const more = older > 0 && (
    <Button small class="entries__more" onPress={() => (rows.value += ROWS)} testId="show-older">
      Show {Math.min(ROWS, older)} older ({older} more)
    </Button>
  );
  return (
    // The region can have the focus, so that the arrow keys scroll it.
    <div class="entries-frame" ref={frame} role="region" aria-label="List of entries" tabIndex={0}>
      {!isNewestFirst.value && more}
      <EntryList
        entries={shown.value.slice(older)}
        previous={shown.value[older - 1]}
        eventOf={store.eventOf}
        isNewestFirst={isNewestFirst.value}
        only={{
          sessionId: sessionId.value,
          choose(id) {
            sessionId.value = id;
            // The chosen button disappears.
            frame.current?.focus();
          },
        }}
      />
      {isNewestFirst.value && more}
    </div>
  );
}

/**
 * Shows the number of entries. New entries are announced to screen readers only on request and in one
 * sentence, because a busy timeline would drown out everything else.
 */
function Summary({ store }: { store: TimelineStore }): JSX.Element {
  const { shown, entries } = store;
  const isAnnouncing = useSignal(false);
  const announcement = useSignal('');
  const known = useRef(0);
  useEffect(() => {
    if (!isAnnouncing.value) {
      announcement.value = '';
      return undefined;
    }
    known.current = shown.peek().length;
    const timer = setInterval(() => {
      const { length } = shown.peek();
      const added = length - known.current;
      known.current = length;
      if (added <= 0) return;
      const last = shown.peek().at(-1)?.title ?? '';
      announcement.value = `${added} new ${added === 1 ? 'entry' : 'entries'}, the last one: ${last}`;
    }, ANNOUNCE_MS);
    return () => clearInterval(timer);
  }, [isAnnouncing.value, shown, announcement]);
  return (
    <div class="row">
      <span class="muted" data-testid="count">
        {shown.value.length === entries.value.length
          ? toEntryCount(entries.value.length)
          : `${formatNumber(shown.value.length)} of ${toEntryCount(entries.value.length)}`}
      </span>
      <CheckField label="Announce new entries" bind={isAnnouncing} testId="speak" />
      <span class="visually-hidden" role="status" data-testid="said">
        {announcement.value}
      </span>
    </div>
  );
}

function toEntryCount(count: number): string {
  return `${formatNumber(count)} ${count === 1 ? 'entry' : 'entries'}`;
}
