import { type Signal, useSignal } from '@preact/signals';
import type { SessionResource } from 'ofage-mock';
import type { JSX } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { Copy, ErrorNote, Panel } from '../../shared/console/parts.tsx';
import { downloadFile } from '../../shared/download-file.ts';
import { Button } from '../../shared/kit/button.tsx';
import { CheckField } from '../../shared/kit/check-field.tsx';
import { EmptyState } from '../../shared/kit/empty-state.tsx';
import { SelectField } from '../../shared/kit/select-field.tsx';
import { attempt } from '../../shared/kit/toast.tsx';
import type { Provider } from '../../shared/provider.ts';
import { toShortId } from '../../shared/short-id.ts';
import { formatNumber } from '../../../mock-server/words/counts.ts';
import type { Context } from '../context.ts';
import { Finder } from '../finder.tsx';
import { Heading } from '../parts.tsx';
import type { Route } from '../route.ts';
import { type Entry, type EntryFilter, filterEntries, KIND_NAMES } from './entry.ts';
import { EntryList } from './entry-row.tsx';
import { findNewestVerification, groupEntries, takeNewest } from './group-entries.ts';
import { GroupList } from './group-list.tsx';
import { SessionState } from './session-state.tsx';
import { type TimelineStore, createTimelineStore } from './store.ts';

/** The number of rows at first, and the number added by each press of Show older. */
const ROWS = 50;
/** The time between two announcements of new entries to screen readers. */
const ANNOUNCE_MS = 4_000;

/** The timelines by provider. One remembers what was cleared and paused while another page is shown. */
const stores = new WeakMap<Provider, TimelineStore>();

/** The maximum number of sessions to choose from. */
const MAX_SESSIONS = 200;

interface Props {
  context: Context;
  store: TimelineStore;
  /** The entries that match the filters, oldest first. */
  shown: readonly Entry[];
}

export function Timeline({ context }: { context: Context }): JSX.Element {
  const { provider, route } = context;
  const store = stores.get(provider) ?? createTimelineStore(provider);
  stores.set(provider, store);
  const all = store.entries.value;
  const shown = useMemo(() => filterEntries(all, toFilter(route.query)), [all, route]);
  const chosen = route.query['session'] ?? null;
  const session = store.sessions.value.find(({ id }) => id === chosen);
  useEffect(() => store.follow(), [store]);
  useEffect(() => (chosen === null ? undefined : store.choose(chosen)), [store, chosen]);
  const isAnnouncing = useSignal(false);
  const props = { context, store, shown };
  return (
    <>
      <Heading title="Timeline">
        SDK calls, requests, sessions, webhooks and changes, live and by session.
      </Heading>
      <ErrorNote text={store.error.value} />
      <Filters {...props} isAnnouncing={isAnnouncing} />
      {/* Entries that another filter shows are not new. */}
      {isAnnouncing.value && <Announcement key={JSON.stringify(route.query)} shown={shown} />}
      <div class="split">
        <Panel title="Entries" testId="timeline" actions={<Actions {...props} />}>
          {shown.length > 0 && <Entries {...props} />}
          {shown.length === 0 && all.length > 0 && (
            <>
              <EmptyState title="No entries match the filters." />
              <ReadOlder store={store} />
            </>
          )}
          {all.length === 0 && (
            <EmptyState title="No entries yet.">
              <p>Start a verification in your page to see its messages here.</p>
            </EmptyState>
          )}
        </Panel>
        {session && <SessionPanel context={context} session={session} />}
      </div>
    </>
  );
}

/** Reads the filter from the address. */
function toFilter({ session, text = '', kinds = '' }: Route['query']): EntryFilter {
  return { kinds: kinds.split(' ').filter(Boolean), sessionId: session ?? null, text };
}

function Filters(props: Props & { isAnnouncing: Signal<boolean> }): JSX.Element {
  const { context, store, isAnnouncing } = props;
  const { session = '', kinds = '', list = '', order = '' } = context.route.query;
  const chosen = kinds.split(' ');
  return (
    <Finder
      context={context}
      search={{ name: 'text', label: 'Text in titles and details', testId: 'filter-text' }}
      chips={[
        ['session', `Session ${toShortId(session)}`],
        ['kinds', `Kinds: ${chosen.join(', ')}`],
        ['list', 'One list'],
        ['order', 'Oldest first'],
      ]}
    >
      <SelectField
        name="session"
        label="Session"
        options={[
          { value: '', text: 'All sessions' },
          ...store.sessions.value.slice(0, MAX_SESSIONS).map(({ id, status, externalUserId }) => ({
            value: id,
            text: [toShortId(id), status, ...(externalUserId ? [externalUserId] : [])].join(' · '),
          })),
        ]}
        value={session}
        testId="filter-session"
      />
      <SelectField
        name="list"
        label="List"
        options={[
          { value: '', text: 'Grouped by session' },
          { value: PLAIN, text: 'One list by time' },
        ]}
        value={list}
        testId="filter-list"
      />
      <SelectField
        name="order"
        label="Order"
        options={[
          { value: '', text: 'Newest first' },
          { value: OLDEST_FIRST, text: 'Oldest first' },
        ]}
        value={order}
        testId="filter-order"
      />
      <fieldset class="kinds">
        <legend class="visually-hidden">Kinds of entries</legend>
        {Object.entries(KIND_NAMES).map(([kind, name]) => (
          <label key={kind} class="shows-focus kind" data-kind={kind}>
            <input
              type="checkbox"
              name="kinds"
              value={kind}
              data-testid={`kind-${kind}`}
              defaultChecked={chosen.includes(kind)}
            />
            {name}
          </label>
        ))}
      </fieldset>
      <CheckField
        label="Announce new entries to screen readers"
        class="check filters__wide"
        bind={isAnnouncing}
        testId="speak"
      />
    </Finder>
  );
}

/** Shows the chosen session. */
function SessionPanel(props: { context: Context; session: SessionResource }): JSX.Element {
  const { context, session } = props;
  return (
    <Panel title="Session" testId="session-state">
      <div class="row">
        <a class="mono" href={context.href({ page: 'sessions', id: session.id })}>
          {session.id}
        </a>
        <Copy text={session.id} what="session ID" />
      </div>
      <SessionState key={session.id} session={session} nowMs={context.nowMs} />
    </Panel>
  );
}

function Actions({ context, store, shown }: Props): JSX.Element {
  const { waiting, isPaused, entries, hasOlder, sessions } = store;
  const [newest] = sessions.value;
  const all = entries.value;
  const verification = useMemo(() => findNewestVerification(groupEntries(all)), [all]);
  return (
    <>
      {newest && (
        <a href={context.href({ page: 'sessions', id: newest.id })} data-testid="newest-session">
          Newest session{verification?.sessionId === null && ' (a later verification has none)'}
        </a>
      )}
      <span class="muted" data-testid="count">
        {shown.length < entries.value.length && `${formatNumber(shown.length)} of `}
        {toEntryCount(entries.value.length)}
        {hasOlder.value && ', older ones not read'}
      </span>
      <Button small onPress={store.togglePause} testId="pause">
        {isPaused.value ? `Resume${waiting.value > 0 ? ` (${waiting.value} new)` : ''}` : 'Pause'}
      </Button>
      <Button
        small
        unavailable={shown.length === 0}
        onPress={() => saveEntries(shown)}
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

/** The value of the query parameter "list" for one list in the order of time. */
const PLAIN = 'plain';

/** The value of the query parameter "order" for the oldest entries at the top. */
const OLDEST_FIRST = 'oldest';

const isGrouped = ({ query }: Route): boolean => query['list'] !== PLAIN;

/** Saves the entries on display as JSON, oldest first. */
function saveEntries(shown: readonly Entry[]): void {
  const entries = shown.map(({ kind, atMs, title, sessionId, detail }) => ({
    at: new Date(atMs).toISOString(),
    kind,
    title,
    sessionId,
    detail,
  }));
  downloadFile('timeline.json', JSON.stringify(entries, null, 2), 'application/json');
}

function Entries({ context, store, shown }: Props): JSX.Element {
  const { query } = context.route;
  const isNewestFirst = query['order'] !== OLDEST_FIRST;
  const rows = useSignal(ROWS);
  const list = {
    eventOf: store.eventOf,
    isNewestFirst,
    only: {
      sessionId: query['session'] ?? null,
      choose: (session: string) => context.go({ page: 'timeline', query: { ...query, session } }),
    },
  };
  const groups = useMemo(() => groupEntries(shown), [shown]);
  // The newest entries stay in view in both orders. The older ones are added on request.
  const newest = takeNewest(groups, rows.value);
  const older = isGrouped(context.route) ? newest.older : Math.max(0, shown.length - rows.value);
  const more =
    older > 0 ? (
      <Button small class="entries__more" onPress={() => (rows.value += ROWS)} testId="show-older">
        Show {Math.min(ROWS, older)} older ({older} more)
      </Button>
    ) : (
      <ReadOlder store={store} onRead={() => (rows.value += ROWS)} />
    );
  return (
    <>
      {!isNewestFirst && more}
      {isGrouped(context.route) ? (
        <GroupList
          {...list}
          context={context}
          blocks={newest.blocks}
          all={store.entries.value}
          sessions={store.sessions.value}
        />
      ) : (
        <EntryList
          {...list}
          href={context.href}
          entries={shown.slice(older)}
          previous={shown[older - 1]}
        />
      )}
      {isNewestFirst && more}
    </>
  );
}

/** Reads older entries from the service, if it has any. Test id: read-older. */
function ReadOlder(props: { store: TimelineStore; onRead?: () => void }): JSX.Element | null {
  const { store, onRead } = props;
  if (!store.hasOlder.value || store.isPaused.value) return null;
  return (
    <Button
      small
      class="entries__more"
      onPress={() => attempt(() => store.readOlder().then(onRead))}
      testId="read-older"
    >
      Read older entries
    </Button>
  );
}

/**
 * Announces new entries to screen readers, in one sentence every few seconds, because a busy timeline would
 * drown out everything else.
 */
function Announcement({ shown }: Pick<Props, 'shown'>): JSX.Element {
  const text = useSignal('');
  const latest = useRef(shown);
  latest.current = shown;
  useEffect(() => {
    let lastId = latest.current.at(-1)?.id;
    const timer = setInterval(() => {
      // Older entries come before the last one, so they are not new either.
      const added = latest.current.slice(latest.current.findIndex(({ id }) => id === lastId) + 1);
      const last = added.at(-1);
      if (last) text.value = `${toEntryCount(added.length)} new, the last one: ${last.title}`;
      lastId = last?.id ?? lastId;
    }, ANNOUNCE_MS);
    return () => clearInterval(timer);
  }, []);
  return (
    <span class="visually-hidden" role="status" data-testid="said">
      {text.value}
    </span>
  );
}

function toEntryCount(count: number): string {
  return `${formatNumber(count)} ${count === 1 ? 'entry' : 'entries'}`;
}
