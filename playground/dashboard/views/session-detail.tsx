import { useSignal } from '@preact/signals';
import type { ScenarioName, SessionResource } from 'ofage/mock';
import type { JSX } from 'preact';
import { Copy, Facts, Json, Panel } from '../../shared/console/parts.tsx';
import { Chip } from '../../shared/kit/chip.tsx';
import { EmptyState } from '../../shared/kit/empty-state.tsx';
import { SelectField } from '../../shared/kit/select-field.tsx';
import { Table } from '../../shared/kit/table.tsx';
import { single } from '../../shared/live/loadable.ts';
import { eventsOf, requests, session } from '../../shared/live/sources.ts';
import { useList, useQuery } from '../../shared/live/use-live.ts';
import { scenarios } from '../queries.ts';
import { toRoughDuration } from '../relative-time.ts';
import { Heading, Loaded, StatusBadge, When } from './bits.tsx';
import { Deliveries } from './deliveries.tsx';
import type { Desk } from './desk.ts';
import { Form, useSubmission } from './form.tsx';

/** How many requests about a session are shown. */
const REQUESTS = 100;

export function SessionDetail({ desk, id }: { desk: Desk; id: string }): JSX.Element {
  const { provider } = desk;
  const found = single(useList(provider.live, session(id)), 'This session is not kept any more.');
  return (
    <>
      <Heading title="Session">
        <a href={desk.href({ section: 'sessions' })}>All sessions</a> ·{' '}
        <span class="mono break">{id}</span> <Copy text={id} what="session id" />
      </Heading>
      <Loaded live={found}>
        {(shown) => (
          <>
            {shown.tenantId !== desk.tenant.id && (
              <p class="note note--warn">It is of another account than the one chosen here.</p>
            )}
            <Panel title="State" testId="session-state">
              <AllFields desk={desk} session={shown} />
            </Panel>
            {shown.status === 'pending' && <Settle desk={desk} session={shown} />}
          </>
        )}
      </Loaded>
      <Events desk={desk} sessionId={id} />
      <Panel title="Deliveries" testId="deliveries">
        <Deliveries desk={desk} filter={{ sessionId: id }}>
          <p>Nothing was sent for this session.</p>
          <p>
            Add an endpoint in <a href={desk.href({ section: 'webhooks' })}>Webhooks</a> and your
            server hears of the next one.
          </p>
        </Deliveries>
      </Panel>
      <Requests desk={desk} sessionId={id} />
    </>
  );
}

function AllFields({ desk, session }: { desk: Desk; session: SessionResource }): JSX.Element {
  const { nowMs } = desk;
  const none = <span class="muted">none</span>;
  const text = (value: string | null): JSX.Element =>
    value === null ? none : <span class="break">{value}</span>;
  return (
    <Facts
      facts={[
        ['Status', <StatusBadge key="status" status={session.status} />],
        ['Reason', text(session.reason)],
        ['externalUserId', text(session.externalUserId)],
        ['Began', <When key="began" at={session.createdAt} nowMs={nowMs} />],
        ['Expires', <When key="expires" at={session.expiresAt} nowMs={nowMs} />],
        ['Ended', <When key="ended" at={session.settledAt} nowMs={nowMs} />],
        ['Validated', <When key="validated" at={session.validatedAt} nowMs={nowMs} />],
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
          <a key="pair" class="mono break" href={desk.href({ section: 'keys' })}>
            {session.pairId}
          </a>,
        ],
        [
          'Account',
          <span key="account" class="mono break">
            {session.tenantId}
          </span>,
        ],
      ]}
    />
  );
}

function Settle({ desk, session }: { desk: Desk; session: SessionResource }): JSX.Element {
  const { client, live } = desk.provider;
  const outcome = useSignal<ScenarioName>('verified');
  const submission = useSubmission(['outcome']);
  const catalogue = useQuery(live, '', scenarios(client)).data.value ?? [];
  const chosen = catalogue.find(({ name }) => name === outcome.value);
  const settle = (): void =>
    void submission.run(
      () => client.settle(session.id, outcome.value),
      `Settled: ${outcome.value}`,
    );
  return (
    <Panel title="Settle it" testId="settle">
      <Form submission={submission} submit="Settle" onSubmit={settle}>
        <SelectField
          label="Outcome"
          hint={chosen?.description}
          error={submission.problems.value.of('outcome')}
          options={catalogue.map(({ name, title }) => ({
            value: name,
            text: `${title} (${name})`,
          }))}
          bind={outcome}
          testId="settle-outcome"
        />
      </Form>
    </Panel>
  );
}

function Events({ desk, sessionId }: { desk: Desk; sessionId: string }): JSX.Element {
  const { provider, nowMs } = desk;
  const events = useList(provider.live, eventsOf(sessionId));
  return (
    <Panel title="Events" testId="events">
      <Loaded live={events}>
        {(items) =>
          items.length === 0 ? (
            <EmptyState title="No event is known any more." />
          ) : (
            <ul class="stack">
              {items.map(({ id, event, createdAt, body }) => (
                <li key={id}>
                  <details class="more">
                    <summary>
                      <strong>{event}</strong> <When at={createdAt} nowMs={nowMs} />
                    </summary>
                    {body === null ? (
                      <p class="muted">It gets its bytes when it is first sent.</p>
                    ) : (
                      <>
                        <Json value={body} label={`Body of ${event}`} />
                        <Copy text={body} what={`body of ${event}`}>
                          Copy body
                        </Copy>
                      </>
                    )}
                  </details>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Panel>
  );
}

function Requests({ desk, sessionId }: { desk: Desk; sessionId: string }): JSX.Element {
  const { provider, nowMs } = desk;
  const asked = useList(provider.live, requests({ sessionId }, REQUESTS));
  return (
    <Panel title="Requests" testId="requests">
      <Loaded live={asked}>
        {(items) =>
          items.length === 0 ? (
            <EmptyState title="No request about it among the last 500 that this provider answered." />
          ) : (
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
          )
        }
      </Loaded>
    </Panel>
  );
}
