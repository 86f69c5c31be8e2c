import { useSignal } from '@preact/signals';
import type { EmailResource, EndpointResource, LegacyWebhookResource } from 'ofage-mock';
import type { JSX } from 'preact';
import { LABELS } from '../../mock-server/words/states.ts';
import { Panel } from '../shared/console/parts.tsx';
import { Button } from '../shared/kit/button.tsx';
import { Chip } from '../shared/kit/chip.tsx';
import { ConfirmButton } from '../shared/kit/confirm.tsx';
import { Dialog } from '../shared/kit/dialog.tsx';
import { EmptyState } from '../shared/kit/empty-state.tsx';
import { type Column, Table } from '../shared/kit/table.tsx';
import { announce, attempt } from '../shared/kit/toast.tsx';
import { HAS_DEMO, siteUrl } from '../shared/site.ts';
import { formatNumber, toCount } from '../../mock-server/words/counts.ts';
import { type Result, useQuery } from '../shared/use-query.ts';
import type { Context } from './context.ts';
import {
  describeNotice,
  describeState,
  explainState,
  sortBySeverity,
  toStateTone,
} from './endpoint-view.ts';
import { HealthFacts, ProductionRefusal } from './health-facts.tsx';
import { Ago, Breakable, Heading, Loaded, When } from './parts.tsx';
import * as queries from './queries.ts';
import { NewWebhook, WebhookForm } from './webhook-form.tsx';

export function Webhooks({ context }: { context: Context }): JSX.Element {
  const { client, live } = context.provider;
  const { id } = context.tenant;
  const all = useQuery(live, queries.endpoints(client, id));
  const legacy = useQuery(live, queries.legacyWebhook(client, id));
  return (
    <>
      <Heading
        title="Webhooks"
        actions={
          <NewWebhook
            context={context}
            noun="endpoint"
            label="Add endpoint"
            isPrimary
            onDone={(saved) =>
              context.go({ page: 'webhooks', id: 'id' in saved ? saved.id : null })
            }
            testId="add-endpoint"
          />
        }
      >
        Webhooks report each result to your server, even if the shopper never returns to your page.
      </Heading>
      <Panel title="Endpoints" testId="endpoints">
        <Loaded result={all}>
          {(items) =>
            items.length === 0 ? (
              <NoEndpoints />
            ) : (
              <>
                <EndpointTable context={context} endpoints={sortBySeverity(items)} />
                <MockOnly endpoints={items} />
              </>
            )
          }
        </Loaded>
      </Panel>
      <Notices context={context} endpoints={all.data ?? []} />
      <LegacyPanel context={context} found={legacy} />
    </>
  );
}

function NoEndpoints(): JSX.Element {
  return (
    <EmptyState title="No endpoints yet.">
      <p>
        Add your server’s address above.
        {HAS_DEMO && (
          <>
            {' '}
            To try webhooks without a server, open the <a href={siteUrl('labs/')}>webhook lab</a>.
          </>
        )}
      </p>
    </EmptyState>
  );
}

/** Lists the endpoints, the worst first. Each row leads to its endpoint. */
function EndpointTable(props: {
  context: Context;
  endpoints: readonly EndpointResource[];
}): JSX.Element {
  const { context, endpoints } = props;
  return (
    <Table
      stacks
      label="Webhook endpoints"
      columns={toColumns(context)}
      rows={endpoints}
      toAttributes={({ id }) => ({ key: id, class: 'link-row', 'data-testid': 'endpoint-row' })}
    />
  );
}

function toColumns({ href, nowMs }: Context): Column<EndpointResource>[] {
  const shared = { kind: 'number', hasLabel: true } as const;
  return [
    {
      title: 'Endpoint',
      kind: 'url',
      cell: ({ id, url }) => (
        <a class="link-row__link" href={href({ page: 'webhooks', id })}>
          <Breakable text={url} />
        </a>
      ),
    },
    {
      title: 'State',
      cell: ({ health }) => <Chip tone={toStateTone(health)}>{describeState(health)}</Chip>,
    },
    {
      ...shared,
      title: LABELS.notDelivered,
      cell: ({ health: { undelivered } }) =>
        undelivered > 0 ? <Chip tone="bad">{formatNumber(undelivered)}</Chip> : 0,
    },
    {
      ...shared,
      title: LABELS.waiting,
      cell: ({ health: { pending } }) => formatNumber(pending),
    },
    {
      ...shared,
      title: LABELS.lastSuccess,
      cell: ({ health: { lastSuccessAt } }) => <Ago at={lastSuccessAt} nowMs={nowMs} />,
    },
    {
      ...shared,
      title: 'Last failure',
      cell: ({ health: { lastFailureAt } }) => <Ago at={lastFailureAt} nowMs={nowMs} />,
    },
  ];
}

/** Shows one note about all addresses that production would reject. */
function MockOnly(props: { endpoints: readonly EndpointResource[] }): JSX.Element | null {
  const refused = props.endpoints.filter(({ productionRefusal }) => productionRefusal !== null);
  if (refused.length === 0) return null;
  const verb = refused.length === 1 ? 'has an address' : 'have addresses';
  return (
    <p class="muted" data-testid="mock-only">
      Mock only: {toCount(refused.length, 'endpoint')} {verb} that production rejects, because it
      requires https and a public host.
    </p>
  );
}

/** The single webhook of older accounts. An account without one can get one, to try its migration. */
function LegacyPanel(props: {
  context: Context;
  found: Result<{ readonly legacy: LegacyWebhookResource | null }>;
}): JSX.Element {
  const { context, found } = props;
  return (
    <Panel title="Legacy webhook" testId={found.data?.legacy ? 'legacy' : 'legacy-setup'}>
      <Loaded result={found}>
        {({ legacy }) => (
          <>
            {legacy ? (
              <LegacyWebhook context={context} legacy={legacy} />
            ) : (
              <p class="muted">
                Older accounts have a single webhook instead of endpoints. Set one up to try the
                migration.
              </p>
            )}
            <div>
              <NewWebhook
                context={context}
                noun="legacy webhook"
                label="Set up legacy webhook"
                // Its dialog still shows the secret when the webhook is there.
                isOffered={legacy === null}
                testId="edit-legacy"
              />
            </div>
          </>
        )}
      </Loaded>
    </Panel>
  );
}

function LegacyWebhook(props: { context: Context; legacy: LegacyWebhookResource }): JSX.Element {
  const { context, legacy } = props;
  const { client } = context.provider;
  const { url, isActive, health, productionRefusal } = legacy;
  const isEditing = useSignal(false);
  const migrate = (): Promise<boolean> =>
    attempt(async () => {
      await client.migrateLegacyWebhook(context.tenant.id);
      announce('Migrated to an endpoint');
    });
  return (
    <>
      <p class="row">
        <Chip tone={toStateTone(health)}>{describeState(health)}</Chip>
        <span class="mono">{url}</span>
      </p>
      <p>
        {isActive ? explainState(health) : 'No events are sent, because the account has endpoints.'}
      </p>
      <ProductionRefusal refusal={productionRefusal} />
      <HealthFacts nowMs={context.nowMs} health={health} />
      <div class="row">
        <Button onPress={migrate} testId="migrate">
          Migrate to endpoint
        </Button>
        <Button onPress={() => (isEditing.value = true)} testId="edit-legacy">
          Edit legacy webhook
        </Button>
        <ConfirmButton
          label="Delete legacy webhook…"
          title="Delete the legacy webhook?"
          confirm="Delete legacy webhook"
          done="Legacy webhook deleted"
          work={() => client.deleteLegacyWebhook(context.tenant.id)}
        >
          <p>It gets no more events, and its queued deliveries are cancelled.</p>
        </ConfirmButton>
      </div>
      <Dialog title="Legacy webhook" isOpen={isEditing}>
        <WebhookForm
          context={context}
          noun="legacy webhook"
          saved={legacy}
          onDone={() => (isEditing.value = false)}
        />
      </Dialog>
    </>
  );
}

/**
 * Shows when and why endpoints were paused, the newest pause first, and the email that production sends
 * about it. Shows nothing if none ever was.
 */
function Notices(props: {
  context: Context;
  endpoints: readonly EndpointResource[];
}): JSX.Element | null {
  const { context, endpoints } = props;
  const { provider, tenant, nowMs } = context;
  const { client, live } = provider;
  const { data, error } = useQuery(live, queries.pauses(client, tenant.id));
  const pausedAt = new Map(endpoints.map(({ id, health }) => [id, health.pausedAt]));
  if (error === '' && (data === null || data.notices.length === 0)) return null;
  return (
    <Panel title="Notices" testId="notices">
      <Loaded result={{ data, error }}>
        {({ notices, emails }) => (
          <ul class="stack">
            {notices.map((notice) => {
              const { id, endpointId, createdAt } = notice;
              const text = describeNotice(notice, pausedAt.get(endpointId) === createdAt);
              const email = emails.find((one) => one.id === id);
              return (
                <li key={id} data-testid="notice">
                  <p>
                    {pausedAt.has(endpointId) ? (
                      <a href={context.href({ page: 'webhooks', id: endpointId })}>{text}</a>
                    ) : (
                      text
                    )}
                  </p>
                  <p class="muted">
                    <When at={createdAt} nowMs={nowMs} />
                  </p>
                  {email ? (
                    <Email email={email} />
                  ) : (
                    <p class="muted">
                      No email, because the account had no owner or admin. Add one in{' '}
                      <a href={context.href({ page: 'settings' })}>Settings</a>.
                    </p>
                  )}
                </li>
              );
            })}
          </ul>
        )}
      </Loaded>
    </Panel>
  );
}

/** The email that production sends to owners and admins. The mock sends none. */
function Email({ email: { subject, text, to } }: { email: EmailResource }): JSX.Element {
  return (
    <details class="more" data-testid="email">
      <summary>Email to {to.join(', ')}</summary>
      <p>
        <strong>{subject}</strong>
      </p>
      <p>{text}</p>
    </details>
  );
}
