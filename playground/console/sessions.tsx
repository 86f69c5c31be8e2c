import type { KeyPairResource, SessionResource, SessionSearch } from 'ofage-mock';
import type { Page } from 'ofage-mock/client';
import type { JSX } from 'preact';
import { toAccountLabel } from '../../mock-server/words/accounts.ts';
import { LABELS, SESSION_STATUSES } from '../../mock-server/words/states.ts';
import { formatTime, toFieldValue } from '../../mock-server/words/times.ts';
import { Panel, Value } from '../shared/console/parts.tsx';
import { downloadFile } from '../shared/download-file.ts';
import { Button } from '../shared/kit/button.tsx';
import { CheckField } from '../shared/kit/check-field.tsx';
import { EmptyState } from '../shared/kit/empty-state.tsx';
import { SelectField } from '../shared/kit/select-field.tsx';
import { attempt } from '../shared/kit/toast.tsx';
import { type Column, Table } from '../shared/kit/table.tsx';
import { toShortId } from '../shared/short-id.ts';
import { formatNumber, toCount } from '../../mock-server/words/counts.ts';
import { useQuery } from '../shared/use-query.ts';
import type { Context } from './context.ts';
import { Finder } from './finder.tsx';
import { toPairName } from './key-view.ts';
import { NewSession } from './new-session.tsx';
import { Pager, readTrail, type Trail } from './pager.tsx';
import { Ago, describeUnvalidated, Heading, Loaded, StatusBadge } from './parts.tsx';
import * as queries from './queries.ts';
import { toCsv } from './session-csv.ts';

/** Changes query parameters of the address. An empty text removes one. */
type ChangeQuery = (change: Readonly<Record<string, string>>) => void;

/** The query parameters of the address that choose sessions. `before` is not one: it chooses the page of them. */
const FILTERS = ['q', 'status', 'reason', 'pair', 'period', 'from', 'to', 'labs'] as const;
type Filters = Readonly<Record<(typeof FILTERS)[number], string>>;

export function Sessions({ context }: { context: Context }): JSX.Element {
  const { provider, tenant, route } = context;
  const { client, live } = provider;
  const filters = Object.fromEntries(
    FILTERS.map((name) => [name, route.query[name] ?? '']),
  ) as Filters;
  const search = toSearch(filters, tenant.id, context.nowMs.value);
  const trail = readTrail(route);
  const found = useQuery(
    live,
    queries.sessions(client, { ...search, limit: queries.PAGE_SIZE, before: trail.at(-1) }),
  );
  const counted = useQuery(live, queries.sessionStatistics(client, search));
  const pairs = useQuery(live, queries.pairs(client, tenant.id)).data ?? [];
  // Other filters find other sessions, so their first page is shown unless the change names a page.
  const changeQuery: ChangeQuery = (change) =>
    context.go({ page: 'sessions', query: { ...filters, before: '', ...change } });
  return (
    <>
      <Heading title="Sessions" actions={<NewSession context={context} />}>
        Every verification of {toAccountLabel(tenant)}, newest first.
      </Heading>
      <SessionFilters context={context} filters={filters} pairs={pairs} />
      <Loaded result={found}>
        {(page) => (
          <SessionPage
            context={context}
            search={search}
            page={page}
            trail={trail}
            total={counted.data?.total ?? null}
            isFiltered={Object.values(filters).some((value) => value !== '')}
            changeQuery={changeQuery}
          />
        )}
      </Loaded>
    </>
  );
}

/**
 * Converts the filters of the address to those of the service. Ignores an unknown status. A period replaces
 * `from`.
 */
function toSearch(filters: Filters, tenantId: string, nowMs: number): SessionSearch {
  const { q, status, reason, pair, from, to, labs } = filters;
  const period = findPeriod(filters.period);
  return {
    tenantId,
    labs: labs !== '',
    text: q || undefined,
    status: SESSION_STATUSES.find((one) => one === status),
    reason: reason || undefined,
    pairId: pair || undefined,
    from: toInstant(period ? toFieldValue(period.toStart(nowMs)) : from),
    to: toInstant(to),
  };
}

/** Converts a time of the address to ISO 8601. Ignores a text that is not a time. */
function toInstant(text: string): string | undefined {
  const atMs = Date.parse(`${text}Z`);
  return Number.isNaN(atMs) ? undefined : new Date(atMs).toISOString();
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** The choices for the beginning. The chart links to hours and days with `from` and `to`. */
const PERIODS = [
  { value: 'hour', text: 'in the last hour', toStart: (nowMs: number) => nowMs - HOUR_MS },
  { value: 'today', text: 'today (UTC)', toStart: (nowMs: number) => nowMs - (nowMs % DAY_MS) },
  { value: 'week', text: 'in the last 7 days', toStart: (nowMs: number) => nowMs - 7 * DAY_MS },
];

const findPeriod = (value: string) => PERIODS.find((period) => period.value === value);

const ANY = { value: '', text: 'any' };

function SessionFilters(props: {
  context: Context;
  filters: Filters;
  pairs: readonly KeyPairResource[];
}): JSX.Element {
  const { context, filters, pairs } = props;
  const { client, live } = context.provider;
  const { status, reason, pair, period, from, to, labs } = filters;
  const catalogue = useQuery(live, queries.scenarios(client)).data ?? [];
  const known = catalogue.flatMap((scenario) => scenario.reason ?? []);
  // A reason of the address is offered even if it is unknown.
  const reasons = [...new Set(reason === '' ? known : [...known, reason])].sort();
  return (
    <Finder
      context={context}
      search={{ name: 'q', label: 'Session ID or externalUserId', testId: 'session-search' }}
      chips={[
        ['status', `Status: ${status}`],
        ['reason', `Reason: ${reason}`],
        ['pair', `Key pair: ${toPairName(pair)}`],
        ['period', `${LABELS.created} ${findPeriod(period)?.text ?? 'at any time'}`],
        ['from', `Since ${formatInstant(from)}`],
        ['to', `Before ${formatInstant(to)}`],
        ['labs', 'With the labs'],
      ]}
    >
      <SelectField
        name="status"
        label="Status"
        options={[ANY, ...SESSION_STATUSES]}
        value={status}
        testId="filter-status"
      />
      <SelectField
        name="reason"
        label="Reason"
        options={[ANY, ...reasons]}
        value={reason}
        testId="filter-reason"
      />
      <SelectField
        name="pair"
        label="Key pair"
        options={[ANY, ...pairs.map(({ pairId }) => ({ value: pairId, text: toPairName(pairId) }))]}
        value={pair}
        testId="filter-pair"
      />
      <SelectField
        name="period"
        label={LABELS.created}
        options={[{ value: '', text: 'at any time' }, ...PERIODS]}
        value={period}
        testId="filter-period"
      />
      <CheckField
        name="labs"
        label="Include the sessions of the labs"
        class="check filters__wide"
        value={labs !== ''}
        testId="filter-labs"
      />
    </Finder>
  );
}

/** Formats a time of the address. Returns a text that is not a time as it is. */
function formatInstant(time: string): string {
  const instant = toInstant(time);
  return instant === undefined ? time : formatTime(instant);
}

/** Shows one page of the sessions that were found. */
function SessionPage(props: {
  context: Context;
  search: SessionSearch;
  page: Page<SessionResource>;
  trail: Trail;
  /** The number of sessions on all pages. Null while it is loading. */
  total: number | null;
  isFiltered: boolean;
  changeQuery: ChangeQuery;
}): JSX.Element {
  const { context, search, page, trail, total, isFiltered, changeQuery } = props;
  const { items, next } = page;
  const { client } = context.provider;
  const clearFilters = (): void =>
    changeQuery(Object.fromEntries(FILTERS.map((name) => [name, ''])));
  /** Saves the sessions of all pages. */
  const exportCsv = async (): Promise<void> => {
    const sessions = await queries.readAllSessions(client, search);
    downloadFile('sessions.csv', toCsv(sessions), 'text/csv');
  };
  return (
    <Panel
      title={isFiltered ? 'Found' : 'All sessions'}
      testId="session-list"
      actions={
        <>
          <span class="muted" role="status" data-testid="session-count">
            {describePage(items.length, trail.length, total)}
          </span>
          {isFiltered && items.length > 0 && (
            <Button small onPress={clearFilters}>
              Show all sessions
            </Button>
          )}
          <Button
            small
            unavailable={items.length === 0}
            onPress={() => attempt(exportCsv)}
            testId="export-csv"
          >
            Export CSV
          </Button>
        </>
      }
    >
      {items.length === 0 ? (
        <NoSessions onClear={isFiltered ? clearFilters : null} />
      ) : (
        <SessionTable context={context} sessions={items} />
      )}
      <Pager
        label="Pages of sessions"
        trail={trail}
        next={next}
        go={(before) => changeQuery({ before })}
      />
    </Panel>
  );
}

/**
 * Describes the rows of a page, for example `1–25 of 1,432 sessions`. Sessions that arrive later move those
 * of an older page down, so it has only its own number: `Page 2, 1,432 sessions`.
 */
function describePage(rows: number, newerPages: number, total: number | null): string {
  if (rows === 0) return 'No sessions';
  if (total === null) return '';
  if (newerPages > 0) return `Page ${formatNumber(newerPages + 1)}, ${toCount(total, 'session')}`;
  return total <= rows ? toCount(rows, 'session') : `1–${rows} of ${toCount(total, 'session')}`;
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
      <p>Start a verification in your page, or start a test session above.</p>
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
      columns={toColumns(context)}
      rows={sessions}
      toAttributes={({ id }) => ({ key: id, class: 'link-row', 'data-testid': 'session-row' })}
    />
  );
}

function toColumns(context: Context): Column<SessionResource>[] {
  return [
    {
      title: 'Session',
      cell: ({ id }) => (
        <a
          class="mono link-row__link"
          href={context.href({ page: 'sessions', id })}
          aria-label={id}
        >
          {toShortId(id)}
        </a>
      ),
    },
    {
      title: 'Status',
      cell: ({ status, reason }) => (
        <>
          <StatusBadge status={status} />{' '}
          {/* The reason of a cancelled session says only what its status says. */}
          {reason !== status && <span class="muted">{reason}</span>}
        </>
      ),
    },
    {
      title: 'externalUserId',
      kind: 'text',
      hasLabel: true,
      cell: ({ externalUserId }) => <Value of={externalUserId} />,
    },
    {
      title: LABELS.created,
      kind: 'number',
      hasLabel: true,
      cell: ({ createdAt }) => <Ago at={createdAt} nowMs={context.nowMs} />,
    },
    {
      title: LABELS.validated,
      kind: 'number',
      hasLabel: true,
      cell: ({ status, validatedAt }) =>
        validatedAt === null ? (
          <span class="muted">{describeUnvalidated(status)}</span>
        ) : (
          <Ago at={validatedAt} nowMs={context.nowMs} />
        ),
    },
  ];
}
