import type { JSX } from 'preact';
import { derive } from '../../shared/old-lists.ts';
import { endpoints } from '../../shared/old-lists.ts';
import { useList } from '../../shared/old-lists.ts';
import { describePausedWebhook, sortBySeverity } from '../endpoint-view.ts';
import type { AppContext } from './app-context.ts';

/** Shows the paused endpoints, because they receive no events until they are resumed. */
export function PausedAlert({ context }: { context: AppContext }): JSX.Element | null {
  const { provider, tenant } = context;
  const { data } = derive(useList(provider, endpoints(tenant.id)), (all) =>
    sortBySeverity(all).filter(({ health }) => health.pausedAt !== null),
  );
  const paused = data.value ?? [];
  if (paused.length === 0) return null;
  return (
    <section class="note note--bad alert" aria-label="Paused endpoints" data-testid="paused-alert">
      <ul class="alert__list">
        {paused.map((endpoint) => (
          <li key={endpoint.id} class="alert__item">
            <p>{describePausedWebhook(endpoint)}</p>
            <a
              class="button button--small"
              href={context.href({ section: 'webhooks', id: endpoint.id })}
              aria-label={`Fix and resume ${endpoint.url}`}
            >
              Fix and resume
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}
