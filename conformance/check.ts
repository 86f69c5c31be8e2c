import type { AccountSettings, Need } from './driver.ts';
import type { World } from './world.ts';

/**
 * The degree to which a check is binding: `must` if the specification demands it, `should` if the
 * specification suggests it or leaves the details open, `reading` if it is our interpretation of a gap.
 */
export type Level = (typeof LEVELS)[number];

/** All levels, the most binding first. */
export const LEVELS = ['must', 'should', 'reading'] as const;

/**
 * The effect of a check on the account: new sessions and endpoints (`safe`), minutes to days on the
 * service's clock (`slow`), or a used-up rate limit (`destructive`).
 */
export type Kind = 'safe' | 'slow' | 'destructive';

/** A section of the interface specification, or the hosted page of the mock. */
export type Section =
  | 'Session'
  | 'billingBlock'
  | 'API keys'
  | 'Webhook endpoint'
  | 'Redirect callback parameters'
  | 'Verification UI query parameters'
  | 'Webhook event envelope'
  | 'States and transitions'
  | 'POST /sessions/create'
  | 'POST /sessions/validate'
  | 'Webhook delivery'
  | 'Authentication'
  | 'Events'
  | 'Errors'
  | 'Limits'
  | 'Versioning'
  | 'Hosted page of the mock';

/** The facts about a check that reports contain. */
export interface CheckFacts {
  /** A stable identifier, such as `create.policy.challengeAge.below`. */
  readonly id: string;
  readonly section: Section;
  /** The requirement, in one sentence. */
  readonly sentence: string;
  readonly level: Level;
  readonly kind: Kind;
}

/** One requirement, and the function that checks whether an implementation meets it. */
export interface Check extends CheckFacts {
  /** The members of the driver that the check uses. */
  readonly needs: readonly Need[];
  /** True if the check opens pages, so that it needs a browser. */
  readonly opensPages?: boolean;
  /** The settings of the new account that the check needs. If omitted, any account will do. */
  readonly settings?: AccountSettings;
  /** Runs the check. Rejects with a `CheckSkip` if it cannot run, and with any other error if it fails. */
  run(world: World): Promise<void>;
}

/** Tells whether a check of this level belongs to a run of the given level. */
export function isIncluded(level: Level, run: Level): boolean {
  return LEVELS.indexOf(level) <= LEVELS.indexOf(run);
}
