import type { JSX } from 'preact';
import { Panel } from '../../shared/console/parts.tsx';
import { combine } from '../../shared/old-lists.ts';
import { endpoints } from '../../shared/old-lists.ts';
import { useList } from '../../shared/old-lists.ts';
import { useQuery } from '../../shared/old-query.ts';
import { describeNotice } from '../endpoint-view.ts';
import { notices } from '../queries.ts';
import type { AppContext } from './app-context.ts';
import { Loaded, When } from './bits.tsx';

/**
 * Shows when and why endpoints were paused, the newest pause first. Shows nothing if no endpoint was ever
 * paused.
 */
export function Notices({ context }: { context: AppContext }): JSX.Element {
  const { provider, tenant, nowMs } = context;
  const pauses = combine({
    all: useQuery(provider.live, tenant.id, notices(provider.client, tenant.id)),
    present: useList(provider, endpoints(tenant.id)),
  });
  return (
    <Loaded live={pauses}>
      {({ all, present }) => {
        if (all.length === 0) return null;
        const pausedAt = new Map(present.map(({ id, health }) => [id, health.pausedAt]));
        return (
          <Panel title="Pauses" testId="notices">
            <ul class="lines">
              {all.toReversed().map((notice) => {
                const { id, endpointId, createdAt } = notice;
                const text = describeNotice(notice, pausedAt.get(endpointId) === createdAt);
                return (
                  <li key={id}>
                    {pausedAt.has(endpointId) ? (
                      <a href={context.href({ section: 'webhooks', id: endpointId })}>{text}</a>
                    ) : (
                      <span>{text}</span>
                    )}
                    <When at={createdAt} nowMs={nowMs} />
                  </li>
                );
              })}
            </ul>
          </Panel>
        );
      }}
    </Loaded>
  );
}
