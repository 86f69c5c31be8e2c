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

export const COOP = [
  'none',
  'same-origin-allow-popups',
  'same-origin',
  'noopener-allow-popups',
] as const;

/**
 * `cut`: the hosted page arrives about 0.8 s after the click. If COOP severs the window, it does so
 * then. `hop` and `announced`: COOP severs the window later, when a working hosted page navigates to
 * a page with COOP, without and with an announcement. `challenge`: the same with a page of the hosted
 * page's own origin, for which the hosted page announces only that it unloads. `close`, `loading` and
 * `early`: the shopper closes the window, after and before the page arrived, and around that moment.
 */
export const KINDS = ['cut', 'hop', 'announced', 'challenge', 'close', 'loading', 'early'] as const;
export type Kind = (typeof KINDS)[number];

/** The delays of early closes from 100 to 2,000 ms, in steps of 100 ms. */
const EARLY_DELAYS: readonly number[] = Array.from({ length: 20 }, (_, n) => (n + 1) * 100);

/** The delays from 100 to 2,500 ms, in steps of 100 ms. */
export const DELAYS: readonly number[] = Array.from({ length: 25 }, (_, n) => (n + 1) * 100);

export interface Choice {
  readonly engines: readonly Engine[];
  readonly kinds: readonly Kind[];
  readonly targets: readonly Cell['target'][];
  readonly shops: readonly string[];
  readonly hosted: readonly string[];
  /**
   * Delays of the shopper's return or early close, in milliseconds. Undefined for a shopper who does not
   * return. Default: {@link DELAYS}, or 100 to 2,000 ms for an early close.
   */
  readonly delays?: readonly (number | undefined)[];
}

/** Returns the selected cells, grouped by engine. */
export function listCells({ engines, kinds, targets, shops, hosted, delays }: Choice): Cell[] {
  const cells: Cell[] = [];
  for (const engine of engines)
    for (const kind of kinds)
      for (const target of targets)
        for (const shop of shops)
          for (const check of hosted) {
            const pair = { ...policy('shop', shop), ...policy('hosted', check) };
            const scene = toScene(kind, engine, shop, check);
            if (!scene) continue;
            const { focusFromMs, ...timing } = scene;
            const base = { engine, kind, target, ...pair, ...timing };
            if (kind === 'early') {
              for (const closeAtMs of delays ?? EARLY_DELAYS)
                cells.push({ ...base, ...(closeAtMs === undefined ? {} : { closeAtMs }) });
            } else if (scene.closeAtMs !== undefined) cells.push(base);
            else {
              for (const delay of delays ?? DELAYS)
                cells.push({
                  ...base,
                  ...(delay === undefined ? {} : { focusAtMs: (focusFromMs ?? 0) + delay }),
                });
            }
          }
  return cells;
}

const policy = (side: 'shop' | 'hosted', value: string): Partial<Cell> =>
  value === 'none' ? {} : { [side]: value };

type Timing = Omit<Cell, 'engine' | 'kind' | 'target'> & { focusFromMs?: number };

/**
 * Returns the timings of a kind. Returns undefined for kinds that need a connected window if COOP already
 * severs it when the hosted page arrives, because nothing that happens later can be observed then.
 */
function toScene(kind: Kind, engine: Engine, shop: string, hosted: string): Timing | undefined {
  const announces = kind === 'announced' || kind === 'challenge';
  switch (kind) {
    case 'cut':
      return { createMs: 300, hostedMs: 400, announces };
    case 'hop':
    case 'announced':
    case 'challenge':
      if (isCut(engine, shop, hosted)) return undefined;
      return { createMs: 100, hostedMs: 0, hopMs: 2500, announces, focusFromMs: 1500 };
    case 'close':
      if (isCut(engine, shop, hosted)) return undefined;
      return { createMs: 100, hostedMs: 0, announces, closeAtMs: 3000 };
    case 'early':
      if (isCut(engine, shop, hosted)) return undefined;
      return { createMs: 100, hostedMs: 0, announces };
    case 'loading':
      return { createMs: 100, hostedMs: 6000, announces, closeAtMs: 2000 };
  }
}

/**
 * Tells whether COOP severs the window as soon as the hosted page arrives. See
 * docs/browser-facts.md.
 */
function isCut(engine: Engine, shop: string, hosted: string): boolean {
  const knows = (value: string): string =>
    engine === 'firefox' && value === 'noopener-allow-popups' ? 'none' : value;
  if (knows(hosted) !== 'none' || knows(shop) === 'same-origin') return true;
  return engine === 'webkit' && shop !== 'none';
}
