import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { Panel } from '../../shared/console/parts.tsx';
import { Button } from '../../shared/kit/button.tsx';
import { Dialog } from '../../shared/kit/dialog.tsx';
import { EmptyState } from '../../shared/kit/empty-state.tsx';
import { single } from '../../shared/live/loadable.ts';
import { endpoint, endpoints } from '../../shared/live/sources.ts';
import { useList } from '../../shared/live/use-live.ts';
import { siteUrl } from '../../shared/site.ts';
import { Heading, Loaded } from './bits.tsx';
import { Deliveries } from './deliveries.tsx';
import type { AppContext } from './app-context.ts';
import { EndpointCard } from './endpoint-card.tsx';
import { EndpointForm, SecretOnce } from './endpoint-form.tsx';
import { LegacyWebhook } from './legacy-webhook.tsx';
import { Notices } from './notices.tsx';

export function Webhooks({ context }: { context: AppContext }): JSX.Element {
  const all = useList(context.provider.live, endpoints(context.tenant.id));
  return (
    <>
      <Heading title="Webhooks" actions={<AddEndpoint context={context} />}>
        How your server hears of what happened, also when the shopper never comes back.
      </Heading>
      <Loaded live={all}>
        {(items) => (
          <>
            {items.length === 0 && (
              <Panel title="Endpoints">
                <EmptyState title="No endpoint yet.">
                  <p>
                    Add the address of your server. Without a server, see the webhook lab in{' '}
                    <a href={siteUrl('labs/')}>Labs</a>.
                  </p>
                </EmptyState>
              </Panel>
            )}
            {items.map((endpoint) => (
              <EndpointCard key={endpoint.id} context={context} endpoint={endpoint} />
            ))}
            <LegacyWebhook context={context} />
          </>
        )}
      </Loaded>
      <Notices context={context} />
    </>
  );
}

function AddEndpoint({ context }: { context: AppContext }): JSX.Element {
  const isOpen = useSignal(false);
  const added = useSignal<{ readonly secret: string | null } | null>(null);
  const open = (): void => {
    added.value = null;
    isOpen.value = true;
  };
  return (
    <>
      <Button variant="primary" onPress={open} testId="add-endpoint">
        Add Endpoint
      </Button>
      <Dialog
        title={added.value ? 'Endpoint added' : 'Add Endpoint'}
        isOpen={isOpen}
        dismiss={added.value ? null : 'Cancel'}
      >
        {added.value ? (
          <SecretOnce secret={added.value.secret} onDone={() => (isOpen.value = false)} />
        ) : (
          <EndpointForm
            context={context}
            endpoint={null}
            onDone={(saved) => {
              added.value = { secret: 'secret' in saved ? saved.secret : null };
            }}
          />
        )}
      </Dialog>
    </>
  );
}

export function EndpointDetail({ context, id }: { context: AppContext; id: string }): JSX.Element {
  const { provider } = context;
  const found = single(
    useList(provider.live, endpoint(id)),
    'This endpoint was deleted. Its deliveries are in each session.',
  );
  return (
    <>
      <Heading title="Webhook endpoint">
        <a href={context.href({ section: 'webhooks' })}>All endpoints</a> ·{' '}
        <span class="mono break">{found.data.value?.url ?? id}</span>
      </Heading>
      <Loaded live={found}>
        {(shown) => (
          <>
            <EndpointCard
              context={context}
              endpoint={shown}
              isAlone
              onDeleted={() => context.go({ section: 'webhooks' })}
            />
            <Panel title="Deliveries" testId="deliveries">
              <Deliveries context={context} filter={{ endpointId: id }}>
                <p>Nothing was sent to it yet.</p>
                <p>Test Webhook sends a test; the next session sends real events.</p>
              </Deliveries>
            </Panel>
          </>
        )}
      </Loaded>
    </>
  );
}
