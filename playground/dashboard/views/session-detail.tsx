import type { ScenarioName, SessionResource } from 'ofage/mock';
import type { JSX } from 'preact';
import { Copy, Facts, Panel } from '../../shared/console/parts.tsx';
import { Chip } from '../../shared/kit/chip.tsx';
import { EmptyState } from '../../shared/kit/empty-state.tsx';
import { Table } from '../../shared/kit/table.tsx';
import { single } from '../../shared/live/loadable.ts';
import { eventsOf, requests, session } from '../../shared/live/sources.ts';
import { useList } from '../../shared/live/use-live.ts';
import { toRoughDuration } from '../../shared/duration.ts';
import { Heading, Loaded, LoadedList, StatusBadge, When } from './bits.tsx';
import { OutcomeField } from './choices.tsx';
import { Deliveries, EventBody } from './deliveries.tsx';
import type { AppContext } from './app-context.ts';
import { Form } from './form.tsx';
import { useForm } from './use-form.ts';

/** The maximum number of requests shown for a session. */
const MAX_REQUESTS = 100;

export function SessionDetail({ context, id }: { context: AppContext; id: string }): JSX.Element {
  const { provider } = context;
  const found = single(useList(provider.live, session(id)), 'This session is not kept any more.');
  return (
    <>
      <Heading title="Session">
        <a href={context.href({ section: 'sessions' })}>All sessions</a> ·{' '}
        <span class="mono break">{id}</span> <Copy text={id} what="session id" />
      </Heading>
      <Loaded live={found}>
        {(shown) => (
          <>
            {shown.tenantId !== context.tenant.id && (
              <p class="note note--warn">It is of another account than the one chosen here.</p>
            )}
            <Panel title="State" testId="session-state">
              <AllFields context={context} session={shown} />
            </Panel>
            {shown.status === 'pending' && <Settle context={context} session={shown} />}
          </>
        )}
      </Loaded>
      <Events context={context} sessionId={id} />
      <Panel title="Deliveries" testId="deliveries">
        <Deliveries context={context} filter={{ sessionId: id }}>
          <p>Nothing was sent for this session.</p>
          <p>
            Add an endpoint in <a href={context.href({ section: 'webhooks' })}>Webhooks</a> and your
            server hears of the next one.
          </p>
        </Deliveries>
      </Panel>
      <Requests context={context} sessionId={id} />
    </>
  );
}

function AllFields(props: { context: AppContext; session: SessionResource }): JSX.Element {
  const { context, session } = props;
  const { nowMs } = context;
  const none = <span class="muted">none</span>;
  const text = (value: string | null): JSX.Element =>
    value === null ? none : <span class="break">{value}</span>;
  return (
    <Facts
      facts={[
        ['Status', <StatusBadge status={session.status} />],
        ['Reason', text(session.reason)],
        ['externalUserId', text(session.externalUserId)],
        ['Began', <When at={session.createdAt} nowMs={nowMs} />],
        ['Expires', <When at={session.expiresAt} nowMs={nowMs} />],
        ['Ended', <When at={session.settledAt} nowMs={nowMs} />],
        ['Validated', <When at={session.validatedAt} nowMs={nowMs} />],
        ['Mode', session.verificationMode],
        ['Challenge age', session.challengeAge],
        ['Face match', session.faceMatchEnabled ? 'on' : 'off'],
        ['Sandbox', session.sandboxMode ? 'on' : 'off'],
        ['Billing block', text(session.billingBlock && session.billingBlock.code)],
        ['Merchant name', text(session.merchantName)],
        ['returnUrl', text(session.returnUrl)],
        ['cancelUrl', text(session.cancelUrl)],
        ['Preset outcome', text(session.presetOutcome)],
        ['Retries', `${session.retries}${session.needsRetry ? ', waits for another image' : ''}`],
        ['Device', `${session.activeDevice} (open: ${session.openDevices.join(', ') || 'none'})`],
        [
          'Key pair',
          <a class="mono break" href={context.href({ section: 'keys' })}>
            {session.pairId}
          </a>,
        ],
        ['Account', <span class="mono break">{session.tenantId}</span>],
      ]}
    />
  );
}

function Settle(props: { context: AppContext; session: SessionResource }): JSX.Element {
  const { context, session } = props;
  const { draft, submission, field } = useForm<{ outcome: ScenarioName }>({ outcome: 'verified' });
  const { outcome } = draft.value;
  const settle = (): void =>
    void submission.run(
      () => context.provider.client.settle(session.id, outcome),
      `Settled: ${outcome}`,
    );
  return (
    <Panel title="Settle it" testId="settle">
      <Form submission={submission} submit="Settle" onSubmit={settle}>
        <OutcomeField
          context={context}
          bind={field('outcome')}
          isExplained
          testId="settle-outcome"
        />
      </Form>
    </Panel>
  );
}

function Events({ context, sessionId }: { context: AppContext; sessionId: string }): JSX.Element {
  const { provider, nowMs } = context;
  const events = useList(provider.live, eventsOf(sessionId));
  return (
    <Panel title="Events" testId="events">
      <LoadedList live={events} empty={<EmptyState title="No event is known any more." />}>
        {(items) => (
          <ul class="stack">
            {items.map(({ id, event, createdAt, body }) => (
              <li key={id}>
                <details class="more">
                  <summary>
                    <strong>{event}</strong> <When at={createdAt} nowMs={nowMs} />
                  </summary>
                  <EventBody event={event} text={body} />
                </details>
              </li>
            ))}
          </ul>
        )}
      </LoadedList>
    </Panel>
  );
}

function Requests({ context, sessionId }: { context: AppContext; sessionId: string }): JSX.Element {
  const { provider, nowMs } = context;
  const list = useList(provider.live, requests({ sessionId }, MAX_REQUESTS));
  const none = 'No request about it among the last 500 that this provider answered.';
  return (
    <Panel title="Requests" testId="requests">
      <LoadedList live={list} empty={<EmptyState title={none} />}>
        {(items) => (
          <Table
            label="Table of requests"
            head={['Status', 'Request', 'Credential', 'Took', 'When']}
          >
            {items
              .toReversed()
              .map(({ id, status, method, path, credential, durationMs, at, fault }) => (
                <tr key={id}>
                  <td>
                    <Chip tone={status < 400 ? 'good' : 'bad'}>{status}</Chip>{' '}
                    {fault && <Chip tone="warn">fault</Chip>}
                  </td>
                  <td class="mono nowrap">
                    {method} {path}
                  </td>
                  <td class="mono">{credential ?? 'none'}</td>
                  <td class="nowrap">{toRoughDuration(durationMs)}</td>
                  <td class="nowrap">
                    <When at={at} nowMs={nowMs} />
                  </td>
                </tr>
              ))}
          </Table>
        )}
      </LoadedList>
    </Panel>
  );
}
