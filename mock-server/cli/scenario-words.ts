import { EVENT_KINDS } from '../store/event-kinds.ts';
import { SCENARIO_NAMES, toScenario, type ScenarioName } from '../api/scenarios.ts';
import { nearest } from '../hosts/nearest.ts';

/**
 * Parses the name of a scenario.
 * @throws {RangeError} with a message that suggests a similar name, or lists all names
 */
export function parseScenario(text: string): ScenarioName {
  return SCENARIO_NAMES.find((name) => name === text) ?? refuse(text, 'scenario', SCENARIO_NAMES);
}

/**
 * Parses the name of a scenario or of an event. For an event, returns the scenario that leads to it.
 * @throws {RangeError} with a message that suggests a similar name, or lists all names
 */
export function parseTrigger(text: string): ScenarioName {
  const names = [...SCENARIO_NAMES, ...EVENT_KINDS];
  const known = names.find((name) => name === text);
  return known ? toScenario(known) : refuse(text, 'scenario or event', names);
}

function refuse(text: string, what: string, words: readonly string[]): never {
  const meant = nearest(text, words);
  throw new RangeError(
    `Unknown ${what} "${text}"; ${meant ? `did you mean ${meant}?` : `supported: ${words.join(', ')}`}`,
  );
}
