import { combine } from '../../shared/old-lists.ts';
import type { SessionResource } from 'ofage/mock';
import type { JSX } from 'preact';
import { Panel } from '../../shared/console/parts.tsx';
import { Chip } from '../../shared/kit/chip.tsx';
import { EmptyState } from '../../shared/kit/empty-state.tsx';
import { endpoints } from '../../shared/old-lists.ts';
import { useList } from '../../shared/old-lists.ts';
import { useQuery } from '../../shared/old-query.ts';
import { siteUrl } from '../../shared/site.ts';
import { toHealthLines } from '../health-lines.ts';
import { legacyWebhook, nextOutcomes } from '../queries.ts';
import { allSessions } from '../session-search.ts';
import type { AppContext } from './app-context.ts';
import { Heading, Loaded, StatusBadge, When } from './bits.tsx';
import { NewSession } from './new-session.tsx';
import { Outcomes } from './outcomes-panel.tsx';
import { PausedAlert } from './paused-alert.tsx';
import { RunPanel } from './run-panel.tsx';
import { useOwnFaults } from './use-own-faults.ts';
import { usePairs } from './use-pairs.ts';

export function Overview({ context }: { context: AppContext }): JSX.Element {
  const { provider, tenant } = context;
  const all = useList(provider, allSessions(tenant.id));
  return (
    <>
      <Heading title="Overview" actions={<NewSession context={context} />}>
        Verification results for {tenant.name} (service time).
      </Heading>
      <PausedAlert context={context} />
      <Loaded live={all}>
        {(items) =>
          items.length === 0 ? (
            <Panel title="Outcomes">
              <EmptyState title="No sessions yet.">
                <p>
                  Verify your age in <a href={siteUrl('')}>the demo shop</a>, or start a test
                  session above. It appears here at once.
                </p>
              </EmptyState>
            </Panel>
          ) : (
            <>
              <Outcomes context={context} sessions={items} hasOlder={all.hasOlder.value} />
              <Latest context={context} sessions={items.slice(-5).toReversed()} />
            </>
          )
        }
      </Loaded>
      <Health context={context} />
      <RunPanel context={context} />
    </>
  );
}

function Latest(props: { context: AppContext; sessions: readonly SessionResource[] }): JSX.Element {
  const { context, sessions } = props;
  return (
    <Panel
      title="Latest sessions"
      actions={<a href={context.href({ section: 'sessions' })}>All sessions</a>}
    >
      <ul class="lines">
        {sessions.map(({ id, status, externalUserId, createdAt }) => (
          <li key={id}>
            <StatusBadge status={status} />
            <a href={context.href({ section: 'sessions', id })}>{externalUserId ?? id}</a>
            <When at={createdAt} nowMs={context.nowMs} />
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function Health({ context }: { context: AppContext }): JSX.Element {
  const { provider, tenant } = context;
  const { client, live } = provider;
  const { id } = tenant;
  const health = combine({
    pairs: usePairs(context),
    endpoints: useList(context.provider, endpoints(id)),
    legacy: useQuery(live, id, legacyWebhook(client, id)),
    faults: useOwnFaults(context),
    nextOutcomes: useQuery(live, id, nextOutcomes(client, id)),
  });
  return (
    <Panel title="Health" testId="health">
      <Loaded live={health}>
        {({ legacy, ...rest }) => (
          <ul class="lines">
            {toHealthLines({ tenant, ...legacy, ...rest }).map(({ id, tone, badge, text, to }) => (
              <li key={id}>
                <Chip tone={tone}>{badge}</Chip>
                <a href={context.href(to)}>{text}</a>
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </Panel>
  );
}
