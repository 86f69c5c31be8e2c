import { useSignal } from '@preact/signals';
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
import { findSessions, MOST_SESSIONS, type SessionSearch } from '../find-sessions.ts';
import { toPairName } from '../key-view.ts';
import { STATUSES } from '../outcomes.ts';
import { Heading, Loaded, StatusBadge, When } from './bits.tsx';
import type { Desk } from './desk.ts';
import { NewSession } from './new-session.tsx';
import { usePairs } from './use-pairs.ts';

/** How long somebody stops typing before it is looked for. */
const PAUSE_MS = 200;

const ANY = { value: '', text: 'any' };

export function Sessions({ desk }: { desk: Desk }): JSX.Element {
  const { provider, tenant, nowMs } = desk;
  const { q = '', status = '', pair = '', before = '' } = desk.route.query;
  const search: SessionSearch = { tenantId: tenant.id, text: q, status, pairId: pair, before };
  const isFiltered = q !== '' || status !== '' || pair !== '';
  const page = useQuery(provider.live, JSON.stringify(search), {
    topics: ['session'],
    read: () => findSessions(provider.client, search),
  });
  const go = (change: Readonly<Record<string, string>>): void =>
    desk.go({ section: 'sessions', query: { q, status, pair, before: '', ...change } });

  return (
    <>
      <Heading title="Sessions" actions={<NewSession desk={desk} />}>
        Every attempt to verify somebody, as it happens.
      </Heading>
      <Panel title="Find">
        <Filters desk={desk} q={q} status={status} pair={pair} onChange={go} />
      </Panel>
      <Panel title={isFiltered ? 'Found' : 'All sessions'} testId="session-list">
        <Loaded live={page}>
          {({ items, next, isPartial }) => (
            <>
              {items.length === 0 ? (
                <NoSessions
                  isFiltered={isFiltered}
                  onClear={() => go({ q: '', status: '', pair: '' })}
                />
              ) : (
                <Table
                  label="Sessions"
                  head={['Status', 'externalUserId', 'Session', 'Mode', 'Began', 'Validated']}
                >
                  {items.map((session) => (
                    <tr key={session.id} data-testid="session-row">
                      <td>
                        <StatusBadge status={session.status} />
                      </td>
                      <td class="cell-text">
                        {session.externalUserId ?? <span class="muted">none</span>}
                      </td>
                      <td class="cell-id">
                        <a class="mono" href={desk.href({ section: 'sessions', id: session.id })}>
                          {session.id}
                        </a>
                      </td>
                      <td class="nowrap">
                        {session.verificationMode}, {session.challengeAge}+
                      </td>
                      <td class="nowrap">
                        <When at={session.createdAt} nowMs={nowMs} />
                      </td>
                      <td class="nowrap">
                        <Moment at={session.validatedAt} />
                      </td>
                    </tr>
                  ))}
                </Table>
              )}
              {isPartial && (
                <p class="muted">
                  Parts of a text are looked for in the newest {MOST_SESSIONS} sessions; a whole id
                  or externalUserId is found however old it is.
                </p>
              )}
              {(before !== '' || next !== null) && (
                <nav class="row" aria-label="Pages of sessions">
                  <Button disabled={before === ''} onPress={() => go({})} testId="newest">
                    Newest
                  </Button>
                  <Button
                    disabled={next === null}
                    onPress={() => go({ before: next ?? '' })}
                    testId="older"
                  >
                    Older
                  </Button>
                </nav>
              )}
            </>
          )}
        </Loaded>
      </Panel>
    </>
  );
}

function Filters(props: {
  desk: Desk;
  q: string;
  status: string;
  pair: string;
  onChange: (change: Readonly<Record<string, string>>) => void;
}): JSX.Element {
  const { desk, q, status, pair, onChange } = props;
  const text = useSignal(q);
  const typed = useRef<ReturnType<typeof setTimeout>>(undefined);
  const pairs = usePairs(desk);
  // Back and forward change the address under the field; what it says of our own search is no news, and
  // comes when somebody may be typing again.
  const asked = useRef(q);
  useLayoutEffect(() => {
    if (q === asked.current) return;
    clearTimeout(typed.current);
    asked.current = text.value = q;
  }, [q]);
  useEffect(() => () => clearTimeout(typed.current), []);
  // What has just been typed counts also when something else is chosen before the pause is over.
  const change = (chosen: Readonly<Record<string, string>>): void => {
    clearTimeout(typed.current);
    asked.current = text.value.trim();
    onChange({ q: asked.current, ...chosen });
  };
  const look = (): void => {
    clearTimeout(typed.current);
    if (text.value.trim() !== q) change({});
  };
  // The pause may end after another render, with other filters.
  const latestLook = useRef(look);
  latestLook.current = look;

  return (
    <form
      class="filters"
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        look();
      }}
    >
      <TextField
        label="Session id or externalUserId"
        type="search"
        verbatim
        value={text.value}
        onValue={(typedText) => {
          text.value = typedText;
          clearTimeout(typed.current);
          typed.current = setTimeout(() => latestLook.current(), PAUSE_MS);
        }}
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
        options={[
          ANY,
          ...(pairs.data.value ?? []).map(({ pairId }) => ({
            value: pairId,
            text: toPairName(pairId),
          })),
        ]}
        value={pair}
        onValue={(pair) => change({ pair })}
        testId="filter-pair"
      />
    </form>
  );
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
