import type { AccountSettings, Need } from './driver.ts';
import type { World } from './world.ts';

/**
 * The degree to which a check is binding: `must` if the specification has the sentence, `should` if it
 * suggests the behaviour or leaves the details open, `reading` if it is our interpretation of a gap.
 */
export type Level = (typeof LEVELS)[number];

/** All levels, the most binding first. */
export const LEVELS = ['must', 'should', 'reading'] as const;

/**
 * The effect of a check on the account: new sessions and endpoints (`safe`), minutes to days on the
 * service's clock (`slow`), or a used-up rate limit (`destructive`).
 */
export type Kind = 'safe' | 'slow' | 'destructive';

/** A section of the interface specification. */
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
  | 'Versioning';

/** The facts about a check that reports contain. */
export interface CheckFacts {
  /** A stable identifier, such as `create.policy.challengeAge.range`. */
  readonly id: string;
  readonly section: Section;
  /** The requirement, in one sentence. */
  readonly sentence: string;
  readonly level: Level;
  readonly kind: Kind;
}

/** One rule, and the function that checks whether an implementation follows it. */
export interface Check extends CheckFacts {
  /** The members of the driver that the check uses. */
  readonly needs: readonly Need[];
  /** True if the check opens pages, so that it needs a browser. */
  readonly opensPages?: boolean;
  /** The settings of the new account that the check needs. If omitted, any account will do. */
  readonly settings?: AccountSettings;
  /**
   * The inputs for which the rule must hold, by name. The check runs once for each, always in a new world,
   * so that a service that breaks one rule in five ways has one failure with five examples.
   */
  readonly examples?: Readonly<Record<string, unknown>>;
  /**
   * Runs the check for one of its examples. Rejects with a `CheckSkip` if it cannot run, and with any other
   * error if it fails.
   */
  run(world: World, example?: unknown): Promise<void>;
}

/** Returns the examples of a check, and the function that runs it for one of them. */
export function forEach<T>(
  examples: Readonly<Record<string, T>>,
  run: (world: World, example: T) => Promise<void>,
): Pick<Check, 'examples' | 'run'> {
  return { examples, run: run as Check['run'] };
}

/** Returns the values as examples, each with itself as its name. */
export function namedBy<T>(...values: readonly T[]): Record<string, T> {
  return Object.fromEntries(values.map((value) => [String(value), value]));
}

/** Tells whether a check of this level belongs to a run of the given level. */
export function isIncluded(level: Level, run: Level): boolean {
  return LEVELS.indexOf(level) <= LEVELS.indexOf(run);
}
