/** Cells in which the SDK cannot know what happened, as docs/browser-facts.md says. */
import type { Engine } from './browsers.ts';
import type { Played } from './cell.ts';
import type { Cell, Kind } from './cells.ts';

interface Documented {
  readonly kinds: readonly Kind[];
  readonly engines?: readonly Engine[];
  readonly targets?: readonly Cell['target'][];
  readonly fault: string;
  /** Interval of {@link Played.offsetMs}, with a margin for a busy computer, which notes an arrival late. */
  readonly fromMs: number;
  readonly toMs: number;
  readonly why: string;
}

const FALSE_CANCEL = 'ended as resolved cancelled closed';
const NOT_NOTICED = 'the close was not detected';

export const DOCUMENTED: readonly Documented[] = [
  {
    kinds: ['hop', 'challenge'],
    fault: FALSE_CANCEL,
    fromMs: -1500,
    toMs: 500,
    why: 'the shopper returns when COOP cuts a working window off',
  },
  ...[{ targets: ['tab'] as const }, { engines: ['chromium'] as const }].map((hiding) => ({
    ...hiding,
    kinds: ['hop', 'challenge'] as const,
    fault: FALSE_CANCEL,
    fromMs: -1500,
    toMs: 1000,
    why: 'a shop behind a tab, or behind a popup in Chromium, is hidden and notices the cut up to a second late',
  })),
  {
    kinds: ['early'],
    fault: NOT_NOTICED,
    fromMs: -1500,
    toMs: 700,
    why: 'in its first half second, the hosted page may be cut off by its own COOP',
  },
  {
    kinds: ['early'],
    engines: ['chromium'],
    targets: ['popup'],
    fault: NOT_NOTICED,
    fromMs: -1500,
    toMs: 1700,
    why: 'Chromium counts the shop as hidden behind the popup, and checks the window once a second',
  },
];

/** Returns the reason why the fault of a cell is documented, or undefined if it is not. */
export function whyDocumented({ cell, fault, offsetMs }: Played): string | undefined {
  return DOCUMENTED.find(
    (it) =>
      it.kinds.includes(cell.kind) &&
      (it.engines?.includes(cell.engine) ?? true) &&
      (it.targets?.includes(cell.target) ?? true) &&
      it.fault === fault &&
      offsetMs !== undefined &&
      offsetMs >= it.fromMs &&
      offsetMs <= it.toMs,
  )?.why;
}
