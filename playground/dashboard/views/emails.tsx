import type { JSX } from 'preact';
import { Panel } from '../../shared/console/parts.tsx';
import { EmptyState } from '../../shared/kit/empty-state.tsx';
import { useQuery } from '../../shared/live/use-live.ts';
import { emails } from '../queries.ts';
import { Heading, LoadedList, When } from './bits.tsx';
import type { AppContext } from './app-context.ts';
import { Notices } from './notices.tsx';

/** Shows the e-mails that a real provider would send. The mock never sends mail. */
export function Emails({ context }: { context: AppContext }): JSX.Element {
  const { provider, tenant, nowMs } = context;
  const outbox = useQuery(provider.live, tenant.id, emails(provider.client, tenant.id));
  return (
    <>
      <Heading title="E-mails">
        What the provider would have mailed to owners and admins. No mail is ever sent.
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
      <Notices context={context} />
    </>
  );
}

function NoEmail({ context }: { context: AppContext }): JSX.Element {
  const addressees = context.tenant.members
    .filter(({ role }) => role === 'owner' || role === 'admin')
    .map(({ email }) => email);
  return (
    <EmptyState title="No e-mail yet.">
      <p>
        One is written when an endpoint is paused: after an hour of rejections, or a day without
        success. Let one fail, and move the clock.
      </p>
      <p>
        {addressees.length > 0 ? (
          `It would go to ${addressees.join(', ')}.`
        ) : (
          <>
            Nobody would get it: name an owner or admin in{' '}
            <a href={context.href({ section: 'settings' })}>Settings</a>.
          </>
        )}
      </p>
    </EmptyState>
  );
}
