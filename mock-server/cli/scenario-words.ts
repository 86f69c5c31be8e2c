import type { EventKind } from '../core/tables.ts';
import { SCENARIO_NAMES, type ScenarioName } from '../rules/scenarios.ts';
import { nearest } from './nearest.ts';

/** The shortest way to each kind of event. `never` leaves the session as it was created. */
const SCENARIO_OF: Readonly<Record<EventKind, ScenarioName>> = {
  'session.started': 'never',
  'verification.completed': 'verified',
  'verification.failed': 'failed_age_not_met',
  'verification.cancelled': 'cancelled',
  'session.timeout': 'timeout',
};

/** Every kind of event, in the order of a session's life. */
export const KINDS = Object.keys(SCENARIO_OF) as readonly EventKind[];

/**
 * Reads the name of a scenario.
 * @throws {RangeError} with a sentence that gives the one that was meant
 */
export function parseScenario(text: string): ScenarioName {
  return SCENARIO_NAMES.find((name) => name === text) ?? refuse(text, 'scenario', SCENARIO_NAMES);
}

/**
 * Reads a scenario, or an event as the scenario that leads to it.
 * @throws {RangeError} with a sentence that gives the one that was meant
 */
export function parseTrigger(text: string): ScenarioName {
  const kind = KINDS.find((name) => name === text);
  if (kind) return SCENARIO_OF[kind];
  const known = SCENARIO_NAMES.find((name) => name === text);
  return known ?? refuse(text, 'scenario or event', [...SCENARIO_NAMES, ...KINDS]);
}

function refuse(text: string, what: string, words: readonly string[]): never {
  const meant = nearest(text, words);
  throw new RangeError(
    `There is no ${what} "${text}"; ${meant ? `did you mean ${meant}?` : `there is ${words.join(', ')}`}`,
  );
}
