import type { SessionResource } from 'ofage/mock';
import type { JSX } from 'preact';
import { Copy, Panel } from '../../shared/console/parts.tsx';
import { toDuration } from '../../shared/duration.ts';
import { Chip } from '../../shared/kit/chip.tsx';
import { SESSION_LIFETIME_MS } from '../../shared/session-lifetime.ts';
import type { Inspector } from '../inspector.ts';
import { describePath, toMeaning, toSessionPath, type SessionPath } from '../session-path.ts';
import { StateDiagram } from './state-diagram.tsx';

/** Shows the state of a session. Test ids: session-state, diagram[data-current][data-path], time-left. */
export function SessionPanel({ inspector }: { inspector: Inspector }): JSX.Element {
  const { sessionId, sessions } = inspector;
  const chosen = sessions.value.find(({ id }) => id === sessionId.value);
  const session = chosen ?? sessions.value[0];
  return (
    <Panel title={chosen ? 'Session' : 'Newest session'} testId="session-state">
      {session ? (
        <SessionState key={session.id} session={session} inspector={inspector} />
      ) : (
        <p class="muted">No sessions yet. Verify your age in the shop to see one here.</p>
      )}
    </Panel>
  );
}

function SessionState(props: { session: SessionResource; inspector: Inspector }): JSX.Element {
  const { session, inspector } = props;
  const path = toSessionPath(session, inspector.nowMs.value);
  return (
    <>
      <div class="row">
        <code class="session-id">{session.id}</code>
        <Copy text={session.id} what="session ID" />
      </div>
      <StateDiagram path={path} />
      <p>
        <Chip tone={TONES[path.current]}>{path.current}</Chip>{' '}
        {toMeaning(path.current, path.leftMs)}
      </p>
      {path.leftMs !== null && <TimeLeft leftMs={path.leftMs} expiresAt={session.expiresAt} />}
      <Way path={path} />
    </>
  );
}

const TONES = {
  pending: 'accent',
  verified: 'good',
  failed: 'bad',
  cancelled: 'warn',
  expired: 'warn',
  validated: 'good',
  lapsed: 'bad',
} as const;

function TimeLeft({ leftMs, expiresAt }: { leftMs: number; expiresAt: string }): JSX.Element {
  const left = toDuration(Math.max(0, Math.ceil(leftMs / 1_000) * 1_000));
  return (
    <div class="time-left">
      <meter
        min={0}
        max={SESSION_LIFETIME_MS}
        low={60_000}
        value={Math.max(0, leftMs)}
        aria-label="Time left until the session expires"
        aria-valuetext={left}
      />
      <span>
        <strong data-testid="time-left">{left}</strong>{' '}
        <span class="muted">until {expiresAt.slice(11, 19)} UTC</span>
      </span>
    </div>
  );
}

function Way({ path }: { path: SessionPath }): JSX.Element {
  return (
    <details>
      <summary>In words</summary>
      <p class="muted">{describePath(path)}</p>
    </details>
  );
}
