import type { SessionResource } from 'ofage/mock';
import type { JSX } from 'preact';
import { Moment } from '../../shared/console/parts.tsx';
import { Table } from '../../shared/kit/table.tsx';
import type { AppContext } from './app-context.ts';
import { StatusBadge, When } from './bits.tsx';

/** Lists sessions. Each row leads to its session. */
export function SessionTable(props: {
  context: AppContext;
  sessions: readonly SessionResource[];
}): JSX.Element {
  const { context, sessions } = props;
  return (
    <Table
      label="Sessions"
      head={['Status', 'externalUserId', 'Reason', 'Session', 'Mode', 'Began', 'Validated']}
    >
      {sessions.map((session) => (
        <tr key={session.id} class="link-row" data-testid="session-row">
          <td>
            <StatusBadge status={session.status} />
          </td>
          <td class="cell-text">{session.externalUserId ?? <None />}</td>
          <td class="nowrap">{session.reason ?? <None />}</td>
          <td class="cell-id">
            <a
              class="mono link-row__link"
              href={context.href({ section: 'sessions', id: session.id })}
            >
              {session.id}
            </a>
          </td>
          <td class="nowrap">
            {session.verificationMode}, {session.challengeAge}+
          </td>
          <td class="nowrap">
            <When at={session.createdAt} nowMs={context.nowMs} />
          </td>
          <td class="nowrap">
            <Validated session={session} />
          </td>
        </tr>
      ))}
    </Table>
  );
}

/**
 * Shows when the session was validated. Only a passed check is worth validating, so "not yet" beside any
 * other session would look like an error.
 */
function Validated({ session }: { session: SessionResource }): JSX.Element {
  const { validatedAt, status } = session;
  if (validatedAt !== null) return <Moment at={validatedAt} />;
  return status === 'verified' ? <span class="muted">not yet</span> : <None />;
}

function None(): JSX.Element {
  return <span class="muted">–</span>;
}
