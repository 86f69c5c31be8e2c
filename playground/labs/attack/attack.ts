import type { Exchange } from './exchange.ts';
import type { Excerpt } from './excerpt.ts';
import type { World } from './world.ts';

/** Something that an attacker tries, the same at both shops. */
export interface Attack {
  readonly id: string;
  readonly title: string;
  /** Who does what, and to what end. */
  readonly story: string;
  /** Why the real shop holds. */
  readonly why: string;
  /** Where the two shops differ. */
  readonly code: { readonly shop: Excerpt; readonly careless: Excerpt };
  readonly run: (world: World) => Promise<AttackReport>;
}

/** What came of it at each shop. */
export interface AttackReport {
  readonly shop: Side;
  readonly careless: Side;
}

export interface Side {
  /** Whether the attacker got what was wanted, by what the shop's server says afterwards. */
  readonly isIn: boolean;
  /** In one sentence. */
  readonly outcome: string;
  readonly exchanges: readonly Exchange[];
}
