import type { SessionResource } from 'ofage/mock';
import type { JSX } from 'preact';
import { Panel } from '../../shared/console/parts.tsx';
import { downloadFile } from '../../shared/download-file.ts';
import { Button } from '../../shared/kit/button.tsx';
import { EmptyState } from '../../shared/kit/empty-state.tsx';
import type { LiveList } from '../../shared/old-lists.ts';
import { useList } from '../../shared/old-lists.ts';
import { useQuery } from '../../shared/old-query.ts';
import { siteUrl } from '../../shared/site.ts';
import { formatNumber, toCount } from '../../shared/to-count.ts';
import {
  addSessions,
  allSessions,
  findExactly,
  searchSessions,
  type SessionPage,
  type SessionSearch,
  toPage,
} from '../session-search.ts';
import { toCsv } from '../sessions-csv.ts';
import type { AppContext } from './app-context.ts';
import { Heading, Loaded } from './bits.tsx';
import { NewSession } from './new-session.tsx';
import { type Go, SessionFilters } from './session-filters.tsx';
import { SessionTable } from './session-table.tsx';
import { useRequestedSearch } from './use-search-key.ts';

export function Sessions({ context }: { context: AppContext }): JSX.Element {
  const { provider, tenant } = context;
  const { q = '', status = '', reason = '', pair = '', from = '', to = '' } = context.route.query;
  const { before = '' } = context.route.query;
  const search: SessionSearch = { text: q, status, reason, pairId: pair, from, to };
  const all = useList(provider, allSessions(tenant.id));
  const older = useOlderMatches(context, q, all.hasOlder.value);
  const go: Go = (change) =>
    context.go({
      section: 'sessions',
      query: { q, status, reason, pair, from, to, before: '', ...change },
    });
  const clear = (): void => go({ q: '', status: '', reason: '', pair: '', from: '', to: '' });
  useRequestedSearch();
  return (
    <>
      <Heading title="Sessions" actions={<NewSession context={context} />}>
        All verification sessions, live.
      </Heading>
      <Panel title="Find">
        <SessionFilters
          context={context}
          search={search}
          reasons={toReasons(all.data.value ?? [], reason)}
          go={go}
        />
      </Panel>
      <Loaded live={all}>
        {(items) => (
          <Found
            context={context}
            found={searchSessions(addSessions(items, older), search)}
            isFiltered={Object.values(search).some((value) => value !== '')}
            before={before}
            all={all}
            go={go}
            onClear={clear}
          />
        )}
      </Loaded>
    </>
  );
}

/**
 * Returns the sessions whose id or `externalUserId` is exactly `text`. Returns none if all sessions are
 * loaded.
 */
function useOlderMatches(
  { provider, tenant }: AppContext,
  text: string,
  hasOlder: boolean,
): readonly SessionResource[] {
  const wanted = hasOlder ? text : '';
  const found = useQuery(provider.live, JSON.stringify([tenant.id, wanted]), {
    topics: wanted === '' ? [] : ['session'],
    read: () => findExactly(provider.client, tenant.id, wanted),
  });
  return found.data.value ?? [];
}

/** Returns the reasons of the sessions in alphabetical order. The chosen one is always among them. */
function toReasons(sessions: readonly SessionResource[], chosen: string): string[] {
  const reasons = new Set(sessions.flatMap(({ reason }) => reason ?? []));
  if (chosen !== '') reasons.add(chosen);
  return [...reasons].sort();
}

function Found(props: {
  context: AppContext;
  found: readonly SessionResource[];
  isFiltered: boolean;
  before: string;
  all: LiveList<SessionResource>;
  go: Go;
  onClear: () => void;
}): JSX.Element {
  const { context, found, isFiltered, before, all, go, onClear } = props;
  const page = toPage(found, before);
  const hasOlder = all.hasOlder.value;
  const count = `${formatNumber(found.length)}${hasOlder ? '+' : ''}`;
  return (
    <Panel
      title={isFiltered ? 'Found' : 'All sessions'}
      testId="session-list"
      actions={
        <>
          <span class="muted" role="status" data-testid="session-count">
            {describeRange(page, count)}
          </span>
          {isFiltered && found.length > 0 && (
            <Button small onPress={onClear}>
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
        <NoSessions isFiltered={isFiltered} onClear={onClear} />
      ) : (
        <SessionTable context={context} sessions={page.items} />
      )}
      <Pager page={page} go={go} />
      {hasOlder && (
        <p class="row muted">
          Older sessions are not loaded yet. A search finds them only by their whole id or
          externalUserId.
          <Button small onPress={() => all.loadOlder()}>
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
  return (
    <nav class="row" aria-label="Pages of sessions">
      <Button unavailable={newer === null} onPress={() => go({})} testId="newest">
        Newest
      </Button>
      <Button
        unavailable={newer === null}
        onPress={() => go({ before: newer ?? '' })}
        testId="newer"
      >
        Newer
      </Button>
      <Button
        unavailable={older === null}
        onPress={() => go({ before: older ?? '' })}
        testId="older"
      >
        Older
      </Button>
    </nav>
  );
}

function NoSessions(props: { isFiltered: boolean; onClear: () => void }): JSX.Element {
  if (props.isFiltered) {
    return (
      <EmptyState title="No matching sessions.">
        <p>
          <Button onPress={props.onClear}>Show all sessions</Button>
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
