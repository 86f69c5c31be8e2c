import type { Exchange } from './exchange.ts';
import type { Excerpt } from './excerpt.ts';
import type { World } from './world.ts';

/** An attack on the demo shop and on the careless shop. */
export interface Attack {
  readonly id: string;
  readonly title: string;
  /** The attacker's steps and goal. */
  readonly story: string;
  /** The reason why the demo shop withstands the attack. */
  readonly why: string;
  /** The code in which the two shops differ. */
  readonly code: { readonly shop: Excerpt; readonly careless: Excerpt };
  /** Set if the attack opens a window, which the browser allows only during a click. */
  readonly needsWindow?: true;
  readonly run: (world: World) => Promise<AttackReport>;
}

export interface AttackReport {
  readonly shop: Side;
  readonly careless: Side;
}

export interface Side {
  /**
   * True if the attack succeeded, for example because the shop's server says that the attacker has access.
   */
  readonly isIn: boolean;
  /** The result in one or two sentences. */
  readonly outcome: string;
  readonly exchanges: readonly Exchange[];
}
