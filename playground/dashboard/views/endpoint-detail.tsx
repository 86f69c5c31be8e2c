import type { JSX } from 'preact';
import { Panel } from '../../shared/console/parts.tsx';
import { Explainer } from '../../shared/explainer/explainer.tsx';
import { Chip } from '../../shared/kit/chip.tsx';
import { single } from '../../shared/old-lists.ts';
import { endpoint } from '../../shared/old-lists.ts';
import { useList } from '../../shared/old-lists.ts';
import { toShownState, toStateTone } from '../endpoint-view.ts';
import type { AppContext } from './app-context.ts';
import { Heading, Loaded } from './bits.tsx';
import { Deliveries } from './deliveries.tsx';
import { EndpointCard } from './endpoint-card.tsx';

export function EndpointDetail({ context, id }: { context: AppContext; id: string }): JSX.Element {
  const { provider } = context;
  const found = single(
    useList(provider, endpoint(id)),
    'This endpoint does not exist. If it was deleted, the page of each session still shows its deliveries.',
  );
  const { url, health } = found.data.value ?? {};
  return (
    <>
      <Heading
        title="Webhook endpoint"
        pageTitle={url === undefined ? 'Webhook endpoint' : `Endpoint ${url}`}
        badge={
          health && (
            <Chip tone={toStateTone(health)} testId="endpoint-state">
              {toShownState(health)}
            </Chip>
          )
        }
      >
        <a href={context.href({ section: 'webhooks' })}>All endpoints</a> ·{' '}
        <span class="mono">{url ?? id}</span>
      </Heading>
      <Loaded live={found}>
        {(shown) => (
          <>
            <EndpointCard
              context={context}
              endpoint={shown}
              onDeleted={() => context.go({ section: 'webhooks' })}
            />
            <Panel title="Deliveries" testId="deliveries">
              <Deliveries context={context} filter={{ endpointId: id }}>
                <p>No deliveries yet.</p>
                <p>Test the webhook above, or start a session to send real events.</p>
              </Deliveries>
            </Panel>
            <Explainer provider={context.provider} />
          </>
        )}
      </Loaded>
    </>
  );
}
