import { useSignal } from '@preact/signals';
import type { SessionResource } from 'ofage/mock';
import type { JSX } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { Moment, Panel } from '../../shared/console/parts.tsx';
import { Button } from '../../shared/kit/button.tsx';
import { EmptyState } from '../../shared/kit/empty-state.tsx';
import { SelectField } from '../../shared/kit/select-field.tsx';
import { Table } from '../../shared/kit/table.tsx';
import { TextField } from '../../shared/kit/text-field.tsx';
import { useQuery } from '../../shared/live/use-live.ts';
import { siteUrl } from '../../shared/site.ts';
import { findSessions, MAX_SESSIONS, type SessionSearch } from '../find-sessions.ts';
import { toPairName } from '../key-view.ts';
import { STATUSES } from '../outcomes.ts';
import { Heading, Loaded, StatusBadge, When } from './bits.tsx';
import type { AppContext } from './app-context.ts';
import { NewSession } from './new-session.tsx';
import { usePairs } from './use-pairs.ts';

/** The time without typing after which the search starts. */
const DEBOUNCE_MS = 200;

const ANY = { value: '', text: 'any' };

export function Sessions({ context }: { context: AppContext }): JSX.Element {
  const { provider, tenant } = context;
  const { q = '', status = '', pair = '', before = '' } = context.route.query;
  const search: SessionSearch = { tenantId: tenant.id, text: q, status, pairId: pair, before };
  const isFiltered = q !== '' || status !== '' || pair !== '';
  const page = useQuery(provider.live, JSON.stringify(search), {
    topics: ['session'],
    read: () => findSessions(provider.client, search),
  });
  const go: Go = (change) =>
    context.go({ section: 'sessions', query: { q, status, pair, before: '', ...change } });
  const clear = (): void => go({ q: '', status: '', pair: '' });
  return (
    <>
      <Heading title="Sessions" actions={<NewSession context={context} />}>
        Every attempt to verify somebody, as it happens.
      </Heading>
      <Panel title="Find">
        <Filters context={context} q={q} status={status} pair={pair} go={go} />
      </Panel>
      <Panel title={isFiltered ? 'Found' : 'All sessions'} testId="session-list">
        <Loaded live={page}>
          {({ items, next, isPartial }) => (
            <>
              {items.length === 0 ? (
                <NoSessions isFiltered={isFiltered} onClear={clear} />
              ) : (
                <SessionTable context={context} sessions={items} />
              )}
              {isPartial && (
                <p class="muted">
                  Parts of a text are looked for in the newest {MAX_SESSIONS} sessions; a whole id
                  or externalUserId is found however old it is.
                </p>
              )}
              {(before !== '' || next !== null) && <Pager before={before} next={next} go={go} />}
            </>
          )}
        </Loaded>
      </Panel>
    </>
  );
}

/** Changes the query parameters in the URL. */
type Go = (change: Readonly<Record<string, string>>) => void;

function SessionTable(props: {
  context: AppContext;
  sessions: readonly SessionResource[];
}): JSX.Element {
  const { context, sessions } = props;
  return (
    <Table
      label="Sessions"
      head={['Status', 'externalUserId', 'Session', 'Mode', 'Began', 'Validated']}
    >
      {sessions.map((session) => (
        <tr key={session.id} data-testid="session-row">
          <td>
            <StatusBadge status={session.status} />
          </td>
          <td class="cell-text">{session.externalUserId ?? <span class="muted">none</span>}</td>
          <td class="cell-id">
            <a class="mono" href={context.href({ section: 'sessions', id: session.id })}>
              {session.id}
            </a>
          </td>
          <td class="nowrap">
            {session.verificationMode}, {session.challengeAge}+
          </td>
          <td class="nowrap">
            <When at={session.createdAt} nowMs={context.nowMs} />
          </td>
          <td class="nowrap">
            <Moment at={session.validatedAt} />
          </td>
        </tr>
      ))}
    </Table>
  );
}

function Pager(props: { before: string; next: string | null; go: Go }): JSX.Element {
  const { before, next, go } = props;
  return (
    <nav class="row" aria-label="Pages of sessions">
      <Button disabled={before === ''} onPress={() => go({})} testId="newest">
        Newest
      </Button>
      <Button disabled={next === null} onPress={() => go({ before: next ?? '' })} testId="older">
        Older
      </Button>
    </nav>
  );
}

function Filters(props: {
  context: AppContext;
  q: string;
  status: string;
  pair: string;
  go: Go;
}): JSX.Element {
  const { context, q, status, pair, go } = props;
  const { text, type, search, change } = useSearchText(q, go);
  const pairs = usePairs(context).data.value ?? [];
  return (
    <form
      class="filters"
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        search();
      }}
    >
      <TextField
        label="Session id or externalUserId"
        type="search"
        verbatim
        value={text}
        onValue={type}
        testId="session-search"
      />
      <SelectField
        label="Status"
        options={[ANY, ...STATUSES]}
        value={status}
        onValue={(status) => change({ status })}
        testId="filter-status"
      />
      <SelectField
        label="Key pair"
        options={[ANY, ...pairs.map(({ pairId }) => ({ value: pairId, text: toPairName(pairId) }))]}
        value={pair}
        onValue={(pair) => change({ pair })}
        testId="filter-pair"
      />
    </form>
  );
}

/** Searches for the typed text after a pause in typing. @param q The search text in the URL */
function useSearchText(q: string, go: Go) {
  const text = useSignal(q);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  // The browser's Back and Forward buttons change the URL without the field. A URL that our own search has
  // set may arrive while the user is typing again, so it must not change the field.
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
  const search = (): void => {
    clearTimeout(timer.current);
    if (text.value.trim() !== q) change({});
  };
  // The timer may fire after another render with different filters, so it calls the latest `search`.
  const latestSearch = useRef(search);
  latestSearch.current = search;
  const type = (typed: string): void => {
    text.value = typed;
    clearTimeout(timer.current);
    timer.current = setTimeout(() => latestSearch.current(), DEBOUNCE_MS);
  };
  return { text: text.value, type, search, change };
}

function NoSessions(props: { isFiltered: boolean; onClear: () => void }): JSX.Element {
  if (props.isFiltered) {
    return (
      <EmptyState title="No session fits.">
        <p>
          <Button onPress={props.onClear}>Show all sessions</Button>
        </p>
      </EmptyState>
    );
  }
  return (
    <EmptyState title="No session yet.">
      <p>
        Verify your age in <a href={siteUrl('')}>the demo shop</a>, or start a test session above.
      </p>
    </EmptyState>
  );
}
