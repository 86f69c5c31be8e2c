import type { JSX } from 'preact';
import { useId } from 'preact/hooks';
import {
  SESSION_STATES,
  TRANSITIONS,
  describePath,
  type SessionPath,
  type SessionState,
} from '../session-path.ts';

const WIDTH = 112;
const HEIGHT = 40;

/** The top left corner of each state's box. */
const PLACES: Readonly<Record<SessionState, readonly [x: number, y: number]>> = {
  pending: [4, 122],
  verified: [164, 14],
  failed: [164, 86],
  cancelled: [164, 158],
  expired: [164, 230],
  validated: [324, 50],
  lapsed: [324, 122],
};

/** Draws all states and transitions, and highlights the path of this session. */
export function StateDiagram({ path }: { path: SessionPath }): JSX.Element {
  const id = useId();
  const taken = path.steps.map(({ state }) => state);
  const isTaken = (from: SessionState, to: SessionState): boolean =>
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
        <State
          key={state}
          state={state}
          kind={state === path.current ? 'current' : taken.includes(state) ? 'passed' : 'open'}
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

function State({ state, kind }: { state: SessionState; kind: string }): JSX.Element {
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

function toCurve(from: SessionState, to: SessionState): string {
  const [fromX, fromY] = PLACES[from];
  const [toX, toY] = PLACES[to];
  const [x1, y1] = [fromX + WIDTH, fromY + HEIGHT / 2];
  const [x2, y2] = [toX - 2, toY + HEIGHT / 2];
  const middle = (x1 + x2) / 2;
  return `M${x1} ${y1}C${middle} ${y1} ${middle} ${y2} ${x2} ${y2}`;
}
