import { useSignal } from '@preact/signals';
import type { KeyPairResource, SessionResource } from 'ofage/mock';
import type { JSX } from 'preact';
import { useEffect, useId, useLayoutEffect, useRef } from 'preact/hooks';
import { Panel } from '../shared/console/parts.tsx';
import { downloadFile } from '../shared/download-file.ts';
import { Button } from '../shared/kit/button.tsx';
import { CheckField } from '../shared/kit/check-field.tsx';
import { ValueChip } from '../shared/kit/chip.tsx';
import { EmptyState } from '../shared/kit/empty-state.tsx';
import { SelectField } from '../shared/kit/select-field.tsx';
import { Table } from '../shared/kit/table.tsx';
import { TextField } from '../shared/kit/text-field.tsx';
import { siteUrl } from '../shared/site.ts';
import { formatNumber, toCount } from '../shared/to-count.ts';
import { useQuery } from '../shared/use-query.ts';
import type { Context } from './context.ts';
import { toPairName } from './key-view.ts';
import { NewSession } from './new-session.tsx';
import { STATUSES } from './outcomes.ts';
import { Ago, Heading, Loaded, StatusBadge } from './parts.tsx';
import * as queries from './queries.ts';
import { useRequestedSearch } from './search-key.ts';
import {
  addSessions,
  findExactly,
  searchSessions,
  type SessionPage,
  toCsv,
  toPage,
} from './session-search.ts';

/** Changes the query parameters in the URL. */
type Go = (change: Readonly<Record<string, string>>) => void;

const FILTERS = ['q', 'status', 'reason', 'pair', 'from', 'to', 'labs'] as const;
type Filters = Readonly<Record<(typeof FILTERS)[number], string>>;

export function Sessions({ context }: { context: Context }): JSX.Element {
  const { provider, tenant, route } = context;
  const { client, live } = provider;
  const filters = Object.fromEntries(
    FILTERS.map((name) => [name, route.query[name] ?? '']),
  ) as Filters;
  const { q, status, reason, pair, from, to, labs } = filters;
  const count = useSignal(queries.SESSION_STEP);
  const filter = { tenantId: tenant.id, labs: labs !== '' };
  const all = useQuery(live, queries.sessions(client, filter, count.value));
  const pairs = useQuery(live, queries.pairs(client, tenant.id)).data ?? [];
  const older = useOlderMatches(context, all.data?.hasOlder ? q : '');
  const go: Go = (change) =>
    context.go({ page: 'sessions', query: { ...filters, before: '', ...change } });
  useRequestedSearch();
  return (
    <>
      <Heading title="Sessions" actions={<NewSession context={context} />}>
        Every verification of {tenant.name}, newest first.
      </Heading>
      <SessionFilters
        filters={filters}
        reasons={toReasons(all.data?.items ?? [], reason)}
        pairs={pairs}
        go={go}
      />
      <Loaded result={all}>
        {({ items, hasOlder }) => (
          <Found
            context={context}
            found={searchSessions(addSessions(items, older), {
              text: q,
              status,
              reason,
              pairId: pair,
              from,
              to,
            })}
            isFiltered={Object.values(filters).some((value) => value !== '')}
            hasOlder={hasOlder}
            onOlder={() => (count.value += queries.SESSION_STEP)}
            go={go}
          />
        )}
      </Loaded>
    </>
  );
}

/** Returns the sessions whose id or `externalUserId` is exactly `text`, however old they are. */
function useOlderMatches({ provider, tenant }: Context, text: string): readonly SessionResource[] {
  const { client, live } = provider;
  const found = useQuery(live, {
    key: `exact session ${tenant.id} ${text}`,
    topics: text === '' ? [] : ['session'],
    read: () => findExactly(client, tenant.id, text),
  });
  return found.data ?? [];
}

/** Returns the reasons of the sessions in alphabetical order. The chosen one is always among them. */
function toReasons(sessions: readonly SessionResource[], chosen: string): string[] {
  const reasons = new Set(sessions.flatMap(({ reason }) => reason ?? []));
  if (chosen !== '') reasons.add(chosen);
  return [...reasons].sort();
}

interface FilterProps {
  filters: Filters;
  /** The reasons to choose from. */
  reasons: readonly string[];
  pairs: readonly KeyPairResource[];
  go: Go;
}

/** False on a phone, which has neither the key "/" nor the space to name it. */
function hasKeyboard(): boolean {
  return matchMedia('(hover: hover) and (min-width: 40rem)').matches;
}

/** The search field, and a button that opens the other filters. Those in use are shown as chips. */
function SessionFilters(props: FilterProps): JSX.Element {
  const { filters, go } = props;
  const { text, type, start, change } = useSearchText(filters.q, go);
  const isOpen = useSignal(false);
  const id = useId();
  return (
    <form
      class="finder"
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        start();
      }}
    >
      <div class="finder__line">
        <TextField
          label="Session id or externalUserId"
          hideLabel
          class="finder__text"
          type="search"
          placeholder={
            hasKeyboard() ? 'Session id or externalUserId (press /)' : 'Id or externalUserId'
          }
          verbatim
          value={text}
          onValue={type}
          testId="session-search"
        />
        <Button
          aria-expanded={isOpen.value}
          aria-controls={id}
          onPress={() => (isOpen.value = !isOpen.value)}
          testId="filters"
        >
          Filters
        </Button>
      </div>
      <div id={id} class="filters" hidden={!isOpen.value}>
        {isOpen.value && <Choices {...props} go={change} />}
      </div>
      <ActiveFilters filters={filters} go={change} />
    </form>
  );
}

function ActiveFilters({ filters, go }: { filters: Filters; go: Go }): JSX.Element | null {
  const { status, reason, pair, from, to, labs } = filters;
  const chips = (
    [
      ['status', status, `Status: ${status}`],
      ['reason', reason, `Reason: ${reason}`],
      ['pair', pair, `Key pair: ${toPairName(pair)}`],
      ['from', from, `From ${from.replace('T', ' ')}`],
      ['to', to, `Before ${to.replace('T', ' ')}`],
      ['labs', labs, 'With the labs'],
    ] as const
  ).filter(([, value]) => value !== '');
  if (chips.length === 0) return null;
  return (
    <div class="row" data-testid="active-filters">
      {chips.map(([name, , text]) => (
        <ValueChip
          key={name}
          remove={{ label: `Remove the filter ${text}`, onPress: () => go({ [name]: '' }) }}
        >
          {text}
        </ValueChip>
      ))}
    </div>
  );
}

const ANY = { value: '', text: 'any' };

function Choices({ filters, reasons, pairs, go }: FilterProps): JSX.Element {
  return (
    <>
      <SelectField
        label="Status"
        options={[ANY, ...STATUSES]}
        value={filters.status}
        onValue={(status) => go({ status })}
        testId="filter-status"
      />
      <SelectField
        label="Reason"
        options={[ANY, ...reasons]}
        value={filters.reason}
        onValue={(reason) => go({ reason })}
        testId="filter-reason"
      />
      <SelectField
        label="Key pair"
        options={[ANY, ...pairs.map(({ pairId }) => ({ value: pairId, text: toPairName(pairId) }))]}
        value={filters.pair}
        onValue={(pair) => go({ pair })}
        testId="filter-pair"
      />
      <TextField
        label="From (UTC)"
        type="datetime-local"
        value={filters.from}
        onValue={(from) => go({ from })}
        testId="filter-from"
      />
      <TextField
        label="Before (UTC)"
        type="datetime-local"
        value={filters.to}
        onValue={(to) => go({ to })}
        testId="filter-to"
      />
      <CheckField
        label="Include the sessions of the labs"
        class="check filters__check"
        value={filters.labs !== ''}
        onValue={(isWanted) => go({ labs: isWanted ? '1' : '' })}
        testId="filter-labs"
      />
    </>
  );
}

/** The time without typing after which the search starts. */
const DEBOUNCE_MS = 200;

/** Searches for the typed text after a pause in typing. @param q The search text in the URL */
function useSearchText(q: string, go: Go) {
  const text = useSignal(q);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  // The browser's Back and Forward buttons change only the URL, so the field is then updated from it. A URL
  // that this search has set may arrive while the user is typing again, so the field then keeps its text.
  const searchedText = useRef(q);
  useLayoutEffect(() => {
    if (q === searchedText.current) return;
    clearTimeout(timer.current);
    searchedText.current = text.value = q;
  }, [q]);
  useEffect(() => () => clearTimeout(timer.current), []);
  // The typed text is applied immediately if another filter changes before the search has started.
  const change: Go = (chosen) => {
    clearTimeout(timer.current);
    searchedText.current = text.value.trim();
    go({ q: searchedText.current, ...chosen });
  };
  const start = (): void => {
    clearTimeout(timer.current);
    if (text.value.trim() !== q) change({});
  };
  // The timer may fire after another render with different filters, so it calls the latest `start`.
  const latestStart = useRef(start);
  latestStart.current = start;
  const type = (typed: string): void => {
    text.value = typed;
    clearTimeout(timer.current);
    timer.current = setTimeout(() => latestStart.current(), DEBOUNCE_MS);
  };
  return { text: text.value, type, start, change };
}

function Found(props: {
  context: Context;
  found: readonly SessionResource[];
  isFiltered: boolean;
  hasOlder: boolean;
  onOlder: () => void;
  go: Go;
}): JSX.Element {
  const { context, found, isFiltered, hasOlder, onOlder, go } = props;
  const page = toPage(found, context.route.query['before'] ?? '');
  const showAll = (): void => go(Object.fromEntries(FILTERS.map((name) => [name, ''])));
  return (
    <Panel
      title={isFiltered ? 'Found' : 'All sessions'}
      testId="session-list"
      actions={
        <>
          <span class="muted" role="status" data-testid="session-count">
            {describeRange(page, `${formatNumber(found.length)}${hasOlder ? '+' : ''}`)}
          </span>
          {isFiltered && found.length > 0 && (
            <Button small onPress={showAll}>
              Show all sessions
            </Button>
          )}
          <Button
            small
            unavailable={found.length === 0}
            onPress={() => downloadFile('sessions.csv', toCsv(found), 'text/csv')}
            testId="export-csv"
          >
            Export CSV
          </Button>
        </>
      }
    >
      {found.length === 0 ? (
        <NoSessions onClear={isFiltered ? showAll : null} />
      ) : (
        <SessionTable context={context} sessions={page.items} />
      )}
      <Pager page={page} go={go} />
      {hasOlder && (
        <p class="row muted">
          Older sessions are not loaded yet. A search finds them only by their whole id or
          externalUserId.
          <Button small onPress={onOlder}>
            Load older sessions
          </Button>
        </p>
      )}
    </Panel>
  );
}

/** Describes the rows of a page, for example `26–50 of 1,432 sessions`. */
function describeRange({ items, skipped }: SessionPage, count: string): string {
  if (items.length === 0) return 'No sessions';
  if (skipped === 0 && String(items.length) === count) return toCount(items.length, 'session');
  const [first, last] = [skipped + 1, skipped + items.length].map(formatNumber);
  return `${first}–${last} of ${count} sessions`;
}

function Pager({ page, go }: { page: SessionPage; go: Go }): JSX.Element | null {
  const { newer, older } = page;
  if (newer === null && older === null) return null;
  const turns = [
    ['newest', 'Newest', newer === null, ''],
    ['newer', 'Newer', newer === null, newer ?? ''],
    ['older', 'Older', older === null, older ?? ''],
  ] as const;
  return (
    <nav class="row" aria-label="Pages of sessions">
      {turns.map(([id, name, unavailable, before]) => (
        <Button key={id} unavailable={unavailable} onPress={() => go({ before })} testId={id}>
          {name}
        </Button>
      ))}
    </nav>
  );
}

/** @param props.onClear Removes the filters. Null if there are none. */
function NoSessions({ onClear }: { onClear: (() => void) | null }): JSX.Element {
  if (onClear) {
    return (
      <EmptyState title="No matching sessions.">
        <p>
          <Button onPress={onClear}>Show all sessions</Button>
        </p>
      </EmptyState>
    );
  }
  return (
    <EmptyState title="No sessions yet.">
      <p>
        Verify your age in <a href={siteUrl('')}>the demo shop</a>, or start a test session above.
      </p>
    </EmptyState>
  );
}

/** Lists sessions. Each row leads to its session. */
export function SessionTable(props: {
  context: Context;
  sessions: readonly SessionResource[];
}): JSX.Element {
  const { context, sessions } = props;
  return (
    <Table
      stacks
      label="Sessions"
      head={['Session', 'Status', 'externalUserId', 'Reason', 'Mode', 'Began', 'Validated']}
    >
      {sessions.map((session) => (
        <tr key={session.id} class="link-row" data-testid="session-row">
          <td class="cell-id">
            <a
              class="mono link-row__link"
              href={context.href({ page: 'sessions', id: session.id })}
            >
              {session.id}
            </a>
          </td>
          <td class="cell-state">
            <StatusBadge status={session.status} />
          </td>
          <td class="cell-text" data-label="externalUserId">
            {session.externalUserId ?? <None />}
          </td>
          <td class="nowrap" data-label="Reason">
            {session.reason ?? <None />}
          </td>
          <td class="nowrap" data-label="Mode">
            {session.verificationMode}, {session.challengeAge}+
          </td>
          <td data-label="Began">
            <Ago at={session.createdAt} nowMs={context.nowMs} />
          </td>
          <td class="nowrap" data-label="Validated">
            <Validated context={context} session={session} />
          </td>
        </tr>
      ))}
    </Table>
  );
}

/**
 * Shows when the session was validated. Only a passed check is worth validating, so "not yet" beside any
 * other session would look like an error.
 */
function Validated(props: { context: Context; session: SessionResource }): JSX.Element {
  const { validatedAt, status } = props.session;
  if (validatedAt !== null) return <Ago at={validatedAt} nowMs={props.context.nowMs} />;
  return status === 'verified' ? <span class="muted">not yet</span> : <None />;
}

function None(): JSX.Element {
  return <span class="muted">–</span>;
}
