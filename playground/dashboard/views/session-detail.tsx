import type { ScenarioName, SessionResource } from 'ofage/mock';
import type { JSX } from 'preact';
import { Copy, Facts, Panel } from '../../shared/console/parts.tsx';
import { single } from '../../shared/old-lists.ts';
import { session } from '../../shared/old-lists.ts';
import { useList } from '../../shared/old-lists.ts';
import { siteUrl } from '../../shared/site.ts';
import { allSessions } from '../session-search.ts';
import { toShortId } from '../short-id.ts';
import type { AppContext } from './app-context.ts';
import { Heading, Loaded, StatusBadge, When } from './bits.tsx';
import { OutcomeField } from './choices.tsx';
import { Form } from './form.tsx';
import { SessionTimeline } from './session-timeline.tsx';
import { useForm } from './use-form.ts';

export function SessionDetail({ context, id }: { context: AppContext; id: string }): JSX.Element {
  const { provider, tenant } = context;
  const found = single(useList(provider, session(id)), 'The service does not store this session.');
  // Keeps the list open, so that Back shows it at once and in its old position.
  useList(provider, allSessions(tenant.id));
  const status = found.data.value?.status;
  return (
    <>
      <Heading
        title={`Session ${toShortId(id)}`}
        badge={
          status && (
            <span data-testid="session-status">
              <StatusBadge status={status} />
            </span>
          )
        }
        actions={
          <>
            <a href={siteUrl(`doctor/#${encodeURIComponent(id)}`)}>Doctor</a>
            <a href={siteUrl('inspector/')}>Inspector</a>
          </>
        }
      >
        <a href={context.href({ section: 'sessions' })}>All sessions</a> ·{' '}
        <span class="mono">{id}</span> <Copy text={id} what="session id" />
      </Heading>
      <Loaded live={found}>
        {(shown) => (
          <>
            {shown.tenantId !== tenant.id && (
              <p class="note note--warn">This session belongs to another account.</p>
            )}
            <Panel title="Result" testId="session-state">
              <Result context={context} session={shown} />
              <details class="more">
                <summary>Settings and device</summary>
                <Settings context={context} session={shown} />
              </details>
            </Panel>
            {shown.status === 'pending' && <Settle context={context} session={shown} />}
          </>
        )}
      </Loaded>
      <SessionTimeline context={context} sessionId={id} />
    </>
  );
}

interface FactsProps {
  context: AppContext;
  session: SessionResource;
}

function Result({ context, session }: FactsProps): JSX.Element {
  const { nowMs } = context;
  const { reason, externalUserId, createdAt, expiresAt, settledAt, validatedAt } = session;
  return (
    <Facts
      facts={[
        ['externalUserId', toText(externalUserId)],
        reason !== null && ['Reason', reason],
        ['Began', <When at={createdAt} nowMs={nowMs} />],
        settledAt === null
          ? ['Expires', <When at={expiresAt} nowMs={nowMs} />]
          : ['Ended', <When at={settledAt} nowMs={nowMs} />],
        [
          'Validated',
          validatedAt === null ? (
            <span class="muted">not yet</span>
          ) : (
            <When at={validatedAt} nowMs={nowMs} />
          ),
        ],
        ['Mode', `${session.verificationMode}, challenge age ${session.challengeAge}`],
      ]}
    />
  );
}

function Settings({ context, session }: FactsProps): JSX.Element {
  const keys = context.href({ section: 'keys' });
  return (
    <Facts
      facts={[
        ['Face match', session.faceMatchEnabled ? 'on' : 'off'],
        ['Sandbox', session.sandboxMode ? 'on' : 'off'],
        ['Billing block', toText(session.billingBlock && session.billingBlock.code)],
        ['Merchant name', toText(session.merchantName)],
        ['returnUrl', toText(session.returnUrl)],
        ['cancelUrl', toText(session.cancelUrl)],
        ['Preset outcome', toText(session.presetOutcome)],
        ['Retries', `${session.retries}${session.needsRetry ? ', another image is needed' : ''}`],
        ['Device', `${session.activeDevice} (open: ${session.openDevices.join(', ') || 'none'})`],
        ['Expires', <When at={session.expiresAt} nowMs={context.nowMs} />],
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

function toText(value: string | null): JSX.Element {
  return value === null ? <span class="muted">none</span> : <span>{value}</span>;
}

function Settle({ context, session }: FactsProps): JSX.Element {
  const { draft, submission, field } = useForm<{ outcome: ScenarioName }>({ outcome: 'verified' });
  const { outcome } = draft.value;
  const settle = (): void =>
    void submission.run(
      () => context.provider.client.settle(session.id, outcome),
      `Settled: ${outcome}`,
    );
  return (
    <Panel title="Settle this session" testId="settle">
      <Form submission={submission} submit="Settle" onSubmit={settle} isPrimary>
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
