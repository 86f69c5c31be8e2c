import type { ReadonlySignal } from '@preact/signals';
import type { SessionResource } from 'ofage-mock';
import type { JSX } from 'preact';
import { formatTime } from '../../../mock-server/words/times.ts';
import { STATUS_TONES } from '../../shared/console/tones.ts';
import { toDuration } from '../../shared/duration.ts';
import { Chip } from '../../shared/kit/chip.tsx';
import { SESSION_LIFETIME_MS } from '../../shared/session-lifetime.ts';
import { describeNextStates, toMeaning, toSessionPath } from './session-path.ts';

const TONES = {
  ...STATUS_TONES,
  validated: 'good',
  lapsed: 'bad',
} as const;

/**
 * Shows what the state of a session means, the states on its way with their times, and those that it can
 * reach next.
 */
export function SessionState(props: {
  session: SessionResource;
  nowMs: ReadonlySignal<number>;
}): JSX.Element {
  const { session, nowMs } = props;
  const { retries } = session;
  const { steps, current, leftMs } = toSessionPath(session, nowMs.value);
  const next = describeNextStates(current);
  return (
    <>
      <p>{toMeaning(current, leftMs)}</p>
      {leftMs !== null && <TimeLeft leftMs={leftMs} expiresAt={session.expiresAt} />}
      <ol
        class="lines"
        aria-label="States of the session"
        data-testid="diagram"
        data-current={current}
        data-path={steps.map(({ state }) => state).join(' ')}
      >
        {steps.map(({ state, atMs }) => (
          <li key={state}>
            <Chip tone={TONES[state]}>{state}</Chip>
            {state === 'pending' && retries > 0 && (
              <span>{retries === 1 ? '1 retry' : `${retries} retries`}</span>
            )}
            <time dateTime={new Date(atMs).toISOString()}>{formatTime(atMs)}</time>
          </li>
        ))}
        {next !== '' && <li class="muted">Next: {next}</li>}
      </ol>
    </>
  );
}

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
        <span class="muted">until {formatTime(expiresAt)}</span>
      </span>
    </div>
  );
}
