import { useSignal } from '@preact/signals';
import type { KeyPairResource, SessionResource } from 'ofage-mock';
import type { JSX } from 'preact';
import { Panel } from '../shared/console/parts.tsx';
import { downloadFile } from '../shared/download-file.ts';
import { Button } from '../shared/kit/button.tsx';
import { CheckField } from '../shared/kit/check-field.tsx';
import { EmptyState } from '../shared/kit/empty-state.tsx';
import { SelectField } from '../shared/kit/select-field.tsx';
import { Table } from '../shared/kit/table.tsx';
import { toShortId } from '../shared/short-id.ts';
import { siteUrl } from '../shared/site.ts';
import { formatNumber, toCount } from '../shared/to-count.ts';
import { useQuery } from '../shared/use-query.ts';
import type { Context } from './context.ts';
import { Finder } from './finder.tsx';
import { toPairName } from './key-view.ts';
import { NewSession } from './new-session.tsx';
import { STATUSES } from './outcomes.ts';
import { Ago, Heading, Loaded, StatusBadge } from './parts.tsx';
import * as queries from './queries.ts';
import {
  addSessions,
  findExactly,
  searchSessions,
  type SessionPage,
  toCsv,
  toFieldValue,
  toPage,
} from './session-search.ts';

/** Changes the query parameters in the URL. */
type Go = (change: Readonly<Record<string, string>>) => void;

const FILTERS = ['q', 'status', 'reason', 'pair', 'period', 'from', 'to', 'labs'] as const;
type Filters = Readonly<Record<(typeof FILTERS)[number], string>>;

export function Sessions({ context }: { context: Context }): JSX.Element {
  const { provider, tenant, route } = context;
  const { client, live } = provider;
  const filters = Object.fromEntries(
    FILTERS.map((name) => [name, route.query[name] ?? '']),
  ) as Filters;
  const { q, status, reason, pair, from, to, labs } = filters;
  const period = findPeriod(filters.period);
  const count = useSignal(queries.SESSION_STEP);
  const filter = { tenantId: tenant.id, labs: labs !== '' };
  const all = useQuery(live, queries.sessions(client, filter, count.value));
  const pairs = useQuery(live, queries.pairs(client, tenant.id)).data ?? [];
  const older = useOlderMatches(context, all.data?.hasOlder ? q : '');
  const go: Go = (change) =>
    context.go({ page: 'sessions', query: { ...filters, before: '', ...change } });
  return (
    <>
      <Heading title="Sessions" actions={<NewSession context={context} />}>
        Every verification of {tenant.name}, newest first.
      </Heading>
      <SessionFilters
        context={context}
        filters={filters}
        reasons={toReasons(all.data?.items ?? [], reason)}
        pairs={pairs}
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
              from: period ? toFieldValue(period.toStart(context.nowMs.value)) : from,
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
  /** The reasons to choose from. */
  reasons: readonly string[];
  pairs: readonly KeyPairResource[];
}): JSX.Element {
  const { context, filters, reasons, pairs } = props;
  const { status, reason, pair, period, from, to, labs } = filters;
  return (
    <Finder
      context={context}
      search={{ name: 'q', label: 'Session id or externalUserId', testId: 'session-search' }}
      chips={[
        ['status', `Status: ${status}`],
        ['reason', `Reason: ${reason}`],
        ['pair', `Key pair: ${toPairName(pair)}`],
        ['period', `Began ${findPeriod(period)?.text ?? 'at any time'}`],
        ['from', `Since ${toText(from)}`],
        ['to', `Before ${toText(to)}`],
        ['labs', 'With the labs'],
      ]}
    >
      <SelectField
        name="status"
        label="Status"
        options={[ANY, ...STATUSES]}
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
        label="Began"
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

/** Formats a time of the address. */
const toText = (time: string): string => `${time.replace('T', ' ')} UTC`;

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
    <nav class="row row--end" aria-label="Pages of sessions">
      {turns.map(([id, name, unavailable, before]) => (
        <Button key={id} small unavailable={unavailable} onPress={() => go({ before })} testId={id}>
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
      numbersFrom={3}
      head={['Session', 'Status', 'externalUserId', 'Began', 'Validated']}
    >
      {sessions.map(({ id, status, reason, externalUserId, createdAt, validatedAt }) => (
        <tr key={id} class="link-row" data-testid="session-row">
          <td>
            <a
              class="mono link-row__link"
              href={context.href({ page: 'sessions', id })}
              aria-label={id}
            >
              {toShortId(id)}
            </a>
          </td>
          <td>
            <StatusBadge status={status} />{' '}
            {/* The reason of a cancelled session says only what its status says. */}
            {reason !== status && <span class="muted">{reason}</span>}
          </td>
          <td class="cell-text">{externalUserId ?? <span class="muted">–</span>}</td>
          <td class="cell-number">
            <Ago at={createdAt} nowMs={context.nowMs} />
          </td>
          {/* Only a passed check is worth validating, so "not yet" would look like an error elsewhere. */}
          <td class="cell-number" data-label="Validated">
            {validatedAt !== null && <Ago at={validatedAt} nowMs={context.nowMs} />}
            {validatedAt === null && status === 'verified' && <span class="muted">not yet</span>}
          </td>
        </tr>
      ))}
    </Table>
  );
}
