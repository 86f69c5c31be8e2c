import type { ReadonlySignal } from '@preact/signals';
import type { SessionResource } from 'ofage/mock';
import type { JSX } from 'preact';
import { useId } from 'preact/hooks';
import { toDuration } from '../../shared/duration.ts';
import { Chip } from '../../shared/kit/chip.tsx';
import { SESSION_LIFETIME_MS } from '../../shared/session-lifetime.ts';
import {
  SESSION_STATES,
  TRANSITIONS,
  describePath,
  type SessionPath,
  type SessionState as State,
  toMeaning,
  toSessionPath,
} from './session-path.ts';

/** Shows the state of a session. Test ids: diagram[data-current][data-path], time-left. */
export function SessionState(props: {
  session: SessionResource;
  nowMs: ReadonlySignal<number>;
}): JSX.Element {
  const { session, nowMs } = props;
  const path = toSessionPath(session, nowMs.value);
  return (
    <>
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

const WIDTH = 112;
const HEIGHT = 40;

/** The top left corner of each state's box. */
const PLACES: Readonly<Record<State, readonly [x: number, y: number]>> = {
  pending: [4, 122],
  verified: [164, 14],
  failed: [164, 86],
  cancelled: [164, 158],
  expired: [164, 230],
  validated: [324, 50],
  lapsed: [324, 122],
};

/** Draws all states and transitions, and highlights the path of this session. */
function StateDiagram({ path }: { path: SessionPath }): JSX.Element {
  const id = useId();
  const taken = path.steps.map(({ state }) => state);
  const isTaken = (from: State, to: State): boolean =>
    taken.some((state, index) => state === from && taken[index + 1] === to);
  // The transitions of this session are drawn last, on top of the others.
  const edges = TRANSITIONS.toSorted(
    ([a, b], [c, d]) => Number(isTaken(a, b)) - Number(isTaken(c, d)),
  );
  return (
    <svg
      class="diagram"
      viewBox="0 0 440 284"
      role="img"
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-desc`}
      data-testid="diagram"
      data-current={path.current}
      data-path={taken.join(' ')}
    >
      <title id={`${id}-title`}>State of the session: {path.current}</title>
      <desc id={`${id}-desc`}>{describePath(path)}</desc>
      <ArrowHeads id={id} />
      {edges.map(([from, to]) => {
        const kind = isTaken(from, to) ? 'taken' : 'plain';
        return (
          <path
            key={`${from} ${to}`}
            class={`diagram__edge diagram__edge--${kind}`}
            d={toCurve(from, to)}
            marker-end={`url(#${id}-${kind})`}
          />
        );
      })}
      {SESSION_STATES.map((state) => (
        <StateBox
          key={state}
          state={state}
          kind={
            state === path.current
              ? `current diagram__state--${TONES[state]}`
              : taken.includes(state)
                ? 'passed'
                : 'open'
          }
        />
      ))}
      {path.retries > 0 && (
        <text class="diagram__note" x={4 + WIDTH / 2} y={122 + HEIGHT + 18}>
          {path.retries === 1 ? '1 retry' : `${path.retries} retries`}
        </text>
      )}
    </svg>
  );
}

function ArrowHeads({ id }: { id: string }): JSX.Element {
  return (
    <defs>
      {['plain', 'taken'].map((kind) => (
        <marker
          key={kind}
          id={`${id}-${kind}`}
          viewBox="0 0 8 8"
          refX="7"
          refY="4"
          markerUnits="userSpaceOnUse"
          markerWidth="12"
          markerHeight="12"
          orient="auto"
        >
          <path class={`diagram__head diagram__head--${kind}`} d="M0 0l8 4-8 4z" />
        </marker>
      ))}
    </defs>
  );
}

function StateBox({ state, kind }: { state: State; kind: string }): JSX.Element {
  const [x, y] = PLACES[state];
  return (
    <g class={`diagram__state diagram__state--${kind}`}>
      <rect x={x} y={y} width={WIDTH} height={HEIGHT} rx="10" />
      <text x={x + WIDTH / 2} y={y + HEIGHT / 2}>
        {state}
      </text>
    </g>
  );
}

function toCurve(from: State, to: State): string {
  const [fromX, fromY] = PLACES[from];
  const [toX, toY] = PLACES[to];
  const [x1, y1] = [fromX + WIDTH, fromY + HEIGHT / 2];
  const [x2, y2] = [toX - 2, toY + HEIGHT / 2];
  const middle = (x1 + x2) / 2;
  return `M${x1} ${y1}C${middle} ${y1} ${middle} ${y2} ${x2} ${y2}`;
}
