import type { JSX } from 'preact';
import { Panel } from '../../shared/console/parts.tsx';
import { EmptyState } from '../../shared/kit/empty-state.tsx';
import { useQuery } from '../../shared/live/use-live.ts';
import { notices } from '../queries.ts';
import { LoadedList, When } from './bits.tsx';
import type { AppContext } from './app-context.ts';

/** Shows the dashboard's notices about paused endpoints, including past pauses. */
export function Notices({ context }: { context: AppContext }): JSX.Element {
  const { provider, tenant, nowMs } = context;
  const all = useQuery(provider.live, tenant.id, notices(provider.client, tenant.id));
  return (
    <Panel title="Notices" testId="notices">
      <LoadedList live={all} empty={<EmptyState title="No endpoint has been paused." />}>
        {(items) => (
          <ul class="stack">
            {items.toReversed().map(({ id, endpointId, text, createdAt }) => (
              <li key={id}>
                <p class="break">{text}</p>
                <p class="muted">
                  <When at={createdAt} nowMs={nowMs} /> ·{' '}
                  <a href={context.href({ section: 'webhooks', id: endpointId })}>The endpoint</a>
                </p>
              </li>
            ))}
          </ul>
        )}
      </LoadedList>
    </Panel>
  );
}
