import { useSignal } from '@preact/signals';
import type { EndpointResource } from 'ofage/mock';
import type { JSX } from 'preact';
import { Panel } from '../../shared/console/parts.tsx';
import { Button } from '../../shared/kit/button.tsx';
import { Chip } from '../../shared/kit/chip.tsx';
import { Dialog } from '../../shared/kit/dialog.tsx';
import { EmptyState } from '../../shared/kit/empty-state.tsx';
import { Table } from '../../shared/kit/table.tsx';
import { endpoints } from '../../shared/old-lists.ts';
import { useList } from '../../shared/old-lists.ts';
import { siteUrl } from '../../shared/site.ts';
import { formatNumber, toCount } from '../../shared/to-count.ts';
import { sortBySeverity, toShownState, toStateTone } from '../endpoint-view.ts';
import type { AppContext } from './app-context.ts';
import { Heading, LoadedList, When } from './bits.tsx';
import { EndpointForm, SecretOnce } from './endpoint-form.tsx';
import { LegacyWebhook } from './legacy-webhook.tsx';
import { Notices } from './notices.tsx';

export function Webhooks({ context }: { context: AppContext }): JSX.Element {
  const all = useList(context.provider, endpoints(context.tenant.id));
  return (
    <>
      <Heading title="Webhooks" actions={<AddEndpoint context={context} />}>
        Webhooks report each result to your server, even if the shopper never returns to your page.
      </Heading>
      <Panel title="Endpoints" testId="endpoints">
        <LoadedList live={all} empty={<NoEndpoints />}>
          {(items) => (
            <>
              <EndpointTable context={context} endpoints={sortBySeverity(items)} />
              <MockOnly endpoints={items} />
            </>
          )}
        </LoadedList>
      </Panel>
      <LegacyWebhook context={context} />
      <Notices context={context} />
    </>
  );
}

function NoEndpoints(): JSX.Element {
  return (
    <EmptyState title="No endpoints yet.">
      <p>
        Add your server’s address above. To try webhooks without a server, open the{' '}
        <a href={siteUrl('labs/')}>webhook lab</a>.
      </p>
    </EmptyState>
  );
}

/** Lists the endpoints, the worst first. Each row leads to its endpoint. */
function EndpointTable(props: {
  context: AppContext;
  endpoints: readonly EndpointResource[];
}): JSX.Element {
  const { context, endpoints } = props;
  const { nowMs } = context;
  return (
    <Table
      label="Webhook endpoints"
      head={['State', 'Endpoint', 'Not delivered', 'Waiting', 'Last success', 'Last failure']}
    >
      {endpoints.map(({ id, url, health }) => (
        <tr key={id} class="link-row" data-testid="endpoint-row">
          <td>
            <Chip tone={toStateTone(health)}>{toShownState(health)}</Chip>
          </td>
          <td class="cell-url">
            <a class="link-row__link" href={context.href({ section: 'webhooks', id })}>
              {url}
            </a>
          </td>
          <td>{formatNumber(health.undelivered)}</td>
          <td>{formatNumber(health.pending)}</td>
          <td>
            <When at={health.lastSuccessAt} nowMs={nowMs} />
          </td>
          <td>
            <When at={health.lastFailureAt} nowMs={nowMs} />
          </td>
        </tr>
      ))}
    </Table>
  );
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

function AddEndpoint({ context }: { context: AppContext }): JSX.Element {
  const isOpen = useSignal(false);
  const added = useSignal<{ readonly id: string; readonly secret: string | null } | null>(null);
  const open = (): void => {
    added.value = null;
    isOpen.value = true;
  };
  const showEndpoint = (): void => {
    isOpen.value = false;
    context.go({ section: 'webhooks', id: added.value?.id ?? null });
  };
  return (
    <>
      <Button variant="primary" onPress={open} testId="add-endpoint">
        Add endpoint
      </Button>
      <Dialog
        title={added.value ? 'Endpoint added' : 'Add endpoint'}
        isOpen={isOpen}
        dismiss={added.value ? null : 'Cancel'}
      >
        {added.value ? (
          <SecretOnce secret={added.value.secret} onDone={showEndpoint} />
        ) : (
          <EndpointForm
            context={context}
            endpoint={null}
            onDone={(saved) => {
              added.value = { id: saved.id, secret: 'secret' in saved ? saved.secret : null };
            }}
          />
        )}
      </Dialog>
    </>
  );
}
