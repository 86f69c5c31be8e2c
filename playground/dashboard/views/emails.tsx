import type { JSX } from 'preact';
import { Panel } from '../../shared/console/parts.tsx';
import { EmptyState } from '../../shared/kit/empty-state.tsx';
import { useQuery } from '../../shared/old-query.ts';
import { emails } from '../queries.ts';
import { Heading, LoadedList, When } from './bits.tsx';
import type { AppContext } from './app-context.ts';

/** Shows the emails that the real service would send. The mock never sends mail. */
export function Emails({ context }: { context: AppContext }): JSX.Element {
  const { provider, tenant, nowMs } = context;
  const outbox = useQuery(provider.live, tenant.id, emails(provider.client, tenant.id));
  return (
    <>
      <Heading title="Emails">
        Emails that production would send to owners and admins. The mock sends none.
      </Heading>
      <Panel title="Outbox" testId="outbox">
        <LoadedList live={outbox} empty={<NoEmail context={context} />}>
          {(items) => (
            <ul class="stack">
              {items.toReversed().map(({ id, to, subject, text, createdAt }) => (
                <li key={id}>
                  <article class="email" data-testid="email" aria-label={subject}>
                    <h3 class="break">{subject}</h3>
                    <p class="muted">
                      To {to.join(', ')} · <When at={createdAt} nowMs={nowMs} />
                    </p>
                    <p class="break">{text}</p>
                  </article>
                </li>
              ))}
            </ul>
          )}
        </LoadedList>
      </Panel>
    </>
  );
}

function NoEmail({ context }: { context: AppContext }): JSX.Element {
  const addressees = context.tenant.members
    .filter(({ role }) => role === 'owner' || role === 'admin')
    .map(({ email }) => email);
  return (
    <EmptyState title="No emails yet.">
      <p>
        The service writes one when it pauses an endpoint, after an hour of rejections or a day
        without success. To see one, let an endpoint fail and move the clock.
      </p>
      <p>
        {addressees.length > 0 ? (
          `Recipients: ${addressees.join(', ')}.`
        ) : (
          <>
            The account has no owner or admin to receive it. Add one in{' '}
            <a href={context.href({ section: 'settings' })}>Settings</a>.
          </>
        )}
      </p>
    </EmptyState>
  );
}
