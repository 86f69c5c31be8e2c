import type { ScenarioName, SessionResource } from 'ofage-mock';
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { LABELS, NONE } from '../../mock-server/words/states.ts';
import { Copy, Facts, Panel, Value } from '../shared/console/parts.tsx';
import { EmptyState } from '../shared/kit/empty-state.tsx';
import { toShortId } from '../shared/short-id.ts';
import { useQuery } from '../shared/use-query.ts';
import type { Context } from './context.ts';
import { Drawing } from './drawing/drawing.tsx';
import { toMessages } from './drawing/messages.ts';
import { Form, readText } from './form.tsx';
import { describeUnvalidated, Heading, Loaded, OutcomeField, StatusBadge } from './parts.tsx';
import { EntryList } from './timeline/entry-row.tsx';
import { orderEntries } from './timeline/order-entries.ts';
import { sessionHistory, toHistoryEntries } from './timeline/session-history.ts';
import { SessionState } from './timeline/session-state.tsx';

export function Session({ context, id }: { context: Context; id: string }): JSX.Element {
  const { provider, tenant } = context;
  const { client, live } = provider;
  const found = useQuery(live, {
    key: `session ${id}`,
    topics: ['session'],
    read: () => client.session(id),
  });
  const { data } = found;
  return (
    <>
      <Heading
        title={`Session ${toShortId(id)}`}
        pageTitle={`Session ${id}`}
        badge={
          data && (
            <span data-testid="session-status">
              <StatusBadge status={data.status} />
            </span>
          )
        }
        actions={
          <>
            <a class="button" href={context.href({ page: 'doctor', query: { session: id } })}>
              Check with Doctor
            </a>
            <a class="button" href={context.href({ page: 'timeline', query: { session: id } })}>
              Show in Timeline
            </a>
          </>
        }
      >
        <a href={context.href({ page: 'sessions' })}>All sessions</a> ·{' '}
        <span class="mono">{id}</span> <Copy text={id} what="session ID" />
      </Heading>
      <Loaded result={found}>
        {(session) => (
          <>
            {session.tenantId !== tenant.id && (
              <p class="note tone--warn">This session belongs to another account.</p>
            )}
            <div class="split">
              <Panel title="Result" testId="session-result">
                <Outcome session={session} />
                {session.status === 'pending' && <Settle context={context} session={session} />}
                <details class="more" open={isWide()}>
                  <summary>Settings and device</summary>
                  <SessionSettings context={context} session={session} />
                </details>
              </Panel>
              <Panel title="Progress" testId="session-state">
                <SessionState session={session} nowMs={context.nowMs} />
              </Panel>
            </div>
          </>
        )}
      </Loaded>
      <History context={context} id={id} />
    </>
  );
}

/** True if the result stands beside the diagram, where there is space for all of its facts. */
function isWide(): boolean {
  return matchMedia('(min-width: 64rem)').matches;
}

interface FactsProps {
  context: Context;
  session: SessionResource;
}

/** The facts that one looks for first. The panel "Progress" has the times. */
function Outcome({ session }: Pick<FactsProps, 'session'>): JSX.Element {
  const { reason, externalUserId, status, validatedAt } = session;
  return (
    <Facts
      facts={[
        reason !== null && ['Reason', reason],
        ['externalUserId', <Value of={externalUserId} />],
        validatedAt === null && [
          LABELS.validated,
          <span class="muted">{describeUnvalidated(status)}</span>,
        ],
      ]}
    />
  );
}

/** The settings with which the session was created, in the order of the page Settings, then its device. */
function SessionSettings({ context, session }: FactsProps): JSX.Element {
  const keys = context.href({ page: 'keys' });
  return (
    <Facts
      facts={[
        [LABELS.mode, session.verificationMode],
        [LABELS.challengeAge, session.challengeAge],
        ['Face match', session.faceMatchEnabled ? 'on' : 'off'],
        ['Sandbox', session.sandboxMode ? 'on' : 'off'],
        ['Preset outcome', <Value of={session.presetOutcome} />],
        ['Billing block', <Value of={session.billingBlock && session.billingBlock.code} />],
        ['Retries', `${session.retries}${session.needsRetry ? ', another image is needed' : ''}`],
        ['Device', `${session.activeDevice} (open: ${session.openDevices.join(', ') || NONE})`],
        ['Merchant name', <Value of={session.merchantName} />],
        ['returnUrl', <Value of={session.returnUrl} />],
        ['cancelUrl', <Value of={session.cancelUrl} />],
        [
          'Key pair',
          <a class="mono" href={keys}>
            {session.pairId}
          </a>,
        ],
        ['Account', <span class="mono">{session.tenantId}</span>],
      ]}
    />
  );
}

function Settle({ context, session }: FactsProps): JSX.Element {
  const settle = (form: FormData): Promise<unknown> =>
    context.provider.client.settle(session.id, readText(form, 'outcome') as ScenarioName);
  return (
    <Form submit="Settle" save={settle} done="Session settled" isPrimary testId="settle">
      <OutcomeField context={context} name="outcome" testId="settle-outcome" />
    </Form>
  );
}

/** Shows what happened in this session: calls of the SDK, requests, events and attempts to deliver them. */
function History({ context, id }: { context: Context; id: string }): JSX.Element {
  const { client, live } = context.provider;
  const found = useQuery(live, sessionHistory(client, id));
  const { data } = found;
  const entries = useMemo(() => orderEntries(data ? toHistoryEntries(data) : []), [data]);
  return (
    <>
      {data?.session && (
        <Panel title="Messages" testId="messages">
          <Drawing
            messages={toMessages({ ...data, session: data.session }, context.nowMs.value)}
            href={context.href}
          />
        </Panel>
      )}
      <Panel title="Timeline" testId="timeline">
        <Loaded result={found}>
          {({ events }) =>
            entries.length === 0 ? (
              <EmptyState title="Nothing is stored for this session." />
            ) : (
              <EntryList
                entries={entries}
                href={context.href}
                eventOf={(eventId) => events.find((event) => event.id === eventId)}
              />
            )
          }
        </Loaded>
      </Panel>
    </>
  );
}
