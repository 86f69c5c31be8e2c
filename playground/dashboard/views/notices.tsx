import type { NoticeResource } from 'ofage/mock';
import type { JSX } from 'preact';
import { Panel } from '../../shared/console/parts.tsx';
import { EmptyState } from '../../shared/kit/empty-state.tsx';
import { Loaded, When } from './bits.tsx';
import type { Desk } from './desk.ts';
import { useLive } from './use-live.ts';

/** What the dashboard itself says of pauses, past ones too. */
export function Notices({ desk }: { desk: Desk }): JSX.Element {
  const { provider, tenant, nowMs } = desk;
  const notices = useLive(provider, ['endpoint', 'clock'], tenant.id, async () => {
    const path = `/notices?tenantId=${tenant.id}`;
    const { items } = await provider.control<{ items: NoticeResource[] }>('GET', path);
    return items;
  });
  return (
    <Panel title="Notices" testId="notices">
      <Loaded live={notices}>
        {(items) =>
          items.length === 0 ? (
            <EmptyState title="No endpoint has been paused." />
          ) : (
            <ul class="stack">
              {items.toReversed().map(({ id, endpointId, text, createdAt }) => (
                <li key={id}>
                  <p class="break">{text}</p>
                  <p class="muted">
                    <When at={createdAt} nowMs={nowMs} /> ·{' '}
                    <a href={desk.href({ section: 'webhooks', id: endpointId })}>The endpoint</a>
                  </p>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Panel>
  );
}
