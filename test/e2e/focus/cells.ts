import type { Engine } from './browsers.ts';

export interface Cell {
  readonly engine: Engine;
  readonly target: 'popup' | 'tab';
  /** The shop's Cross-Origin-Opener-Policy. */
  readonly shop?: string;
  /** The hosted page's Cross-Origin-Opener-Policy. */
  readonly hosted?: string;
  /** Duration of the create call, in milliseconds. */
  readonly createMs: number;
  /** Time until the hosted page responds, in milliseconds. */
  readonly hostedMs: number;
  /** Time after which the hosted page navigates to a bank's page with COOP, in milliseconds. */
  readonly hopMs?: number;
  readonly kind: Kind;
  /** True if the hosted page announces its presence and its departure. */
  readonly announces: boolean;
  /** Moment at which the shopper returns to the shop's window, in milliseconds since the click. */
  readonly focusAtMs?: number;
  /** Moment at which the shopper closes the window, in milliseconds since the click. */
  readonly closeAtMs?: number;
}

/**
 * `cut`: the hosted page arrives about 0.8 s after the click. If COOP severs the window, it does so
 * then. `hop` and `announced`: COOP severs the window later, when a working hosted page navigates to
 * a page with COOP, without and with an announcement. `challenge`: the same with a page of the hosted
 * page's own origin, for which the hosted page announces only that it unloads. `close`, `loading` and
 * `early`: the shopper closes the window, after and before the page arrived, and around that moment.
 */
export const KINDS = ['cut', 'hop', 'announced', 'challenge', 'close', 'loading', 'early'] as const;
export type Kind = (typeof KINDS)[number];

export type Scene = Pick<Cell, 'engine' | 'kind' | 'target' | 'shop' | 'hosted'>;
type Timing = Omit<Cell, keyof Scene | 'focusAtMs'>;

const TIMINGS: { readonly [kind in Kind]: Timing } = {
  cut: { createMs: 300, hostedMs: 400, announces: false },
  hop: { createMs: 100, hostedMs: 0, hopMs: 2500, announces: false },
  announced: { createMs: 100, hostedMs: 0, hopMs: 2500, announces: true },
  challenge: { createMs: 100, hostedMs: 0, hopMs: 2500, announces: true },
  close: { createMs: 100, hostedMs: 0, closeAtMs: 3000, announces: false },
  loading: { createMs: 100, hostedMs: 6000, closeAtMs: 2000, announces: false },
  early: { createMs: 100, hostedMs: 0, announces: false },
};

/** Time from the response of a page until it is shown and COOP severs the window, roughly. */
const ARRIVAL_MS = 100;

/** Returns a cell in which the shopper closes the window when its kind says so, or at `closeAtMs`. */
export const closing = (scene: Scene, closeAtMs?: number): Cell => ({
  ...scene,
  ...TIMINGS[scene.kind],
  ...(closeAtMs === undefined ? {} : { closeAtMs }),
});

/** Returns a cell in which the shopper returns to the shop `ms` after COOP may sever the window, or before. */
export function returning(scene: Scene, ms: number): Cell {
  const { createMs, hostedMs, hopMs = 0 } = TIMINGS[scene.kind];
  const focusAtMs = createMs + hostedMs + hopMs + ARRIVAL_MS + ms;
  return { ...scene, ...TIMINGS[scene.kind], focusAtMs };
}

/** Returns a cell in which the shopper stays in the window. */
export const staying = (scene: Scene): Cell => ({ ...scene, ...TIMINGS[scene.kind] });

const range = (from: number, to: number, step: number): number[] =>
  Array.from({ length: (to - from) / step + 1 }, (_, n) => from + n * step);

/**
 * Moments of the shopper's return around a cut. The SDK connects a focus and a close that are at most
 * 400 ms apart, so all moments within half a second of the cut are here, and few others.
 */
const MOMENTS = [-700, ...range(-500, 500, 100), 800, 1700];
/** Fewer moments, for further pairs of policies. */
const FEW_MOMENTS = [-400, -200, 0, 200, 400];

/**
 * Returns the matrix of an engine: every kind of scene in a popup and in a tab.
 *
 * The pairs of policies are one for each way in which the hosted page is cut off (by the shop's policy, by
 * its own, by both) or stays connected, because the SDK cannot see the policies, only the events that they
 * cause. Which pair causes which is the subject of scenarios/opener-policies.ts, with all 16 pairs. A window that
 * is cut off on a later page is connected before, so that one pair stands for all.
 */
export function listCells(engine: Engine): Cell[] {
  const allowPopups = 'same-origin-allow-popups';
  return (['popup', 'tab'] as const).flatMap((target) => {
    const scene = (kind: Kind): Scene => ({ engine, kind, target });
    const cut = scene('cut');
    return [
      ...MOMENTS.map((ms) => returning({ ...cut, shop: 'same-origin' }, ms)),
      ...FEW_MOMENTS.flatMap((ms) => [
        returning({ ...cut, hosted: 'same-origin' }, ms),
        returning({ ...cut, shop: allowPopups, hosted: allowPopups }, ms),
        // Connected in Chromium and Firefox, and cut off in WebKit.
        returning({ ...cut, shop: allowPopups }, ms),
      ]),
      ...(['hop', 'announced', 'challenge'] as const).flatMap((kind) => [
        staying(scene(kind)),
        ...MOMENTS.map((ms) => returning(scene(kind), ms)),
      ]),
      closing(scene('close')),
      // The blank window inherits the shop's policy.
      closing(scene('loading')),
      closing({ ...scene('loading'), shop: allowPopups }),
      closing({ ...scene('loading'), shop: 'same-origin' }),
      ...range(100, 2000, 100).map((ms) => closing(scene('early'), ms)),
    ];
  });
}
