import { SCENARIO_PREFIX } from './brand.ts';
import { EVENT_RULES, type EventKind } from '../store/event-kinds.ts';

/**
 * All possible outcomes of a session, by name. Docs, pages and tests are generated from this list.
 *
 * @example
 * ```ts
 * import { createMockService, SCENARIOS } from 'ofage-mock';
 *
 * const service = createMockService();
 * for (const { name, outcome } of SCENARIOS) console.log(`${name} ends as ${outcome}`);
 * ```
 */
export const SCENARIOS = [
  {
    name: 'verified',
    title: 'Verified',
    description: 'The face looks old enough or, in L2, the document proves the age',
    outcome: 'verified',
    reason: null,
    needsFaceMatch: false,
    knownAfter: 'face',
  },
  {
    name: 'verified_after_id',
    title: 'Verified after an ID check',
    description: 'The face estimate is below the threshold, but the document then proves the age',
    outcome: 'verified',
    reason: null,
    needsFaceMatch: false,
    knownAfter: 'end',
  },
  {
    name: 'failed_age_not_met',
    title: 'Age not met',
    description: 'The shopper is below the minimum age',
    outcome: 'failed',
    reason: 'age_not_met',
    needsFaceMatch: false,
    knownAfter: 'document',
  },
  {
    name: 'failed_image_quality',
    title: 'Image not usable',
    description: 'No image was sharp and bright enough',
    outcome: 'failed',
    reason: 'image_quality',
    needsFaceMatch: false,
    knownAfter: 'face',
  },
  {
    name: 'failed_document_rejected',
    title: 'Document rejected',
    description: 'The document is not genuine, not readable or not accepted',
    outcome: 'failed',
    reason: 'document_rejected',
    needsFaceMatch: false,
    knownAfter: 'document',
  },
  {
    name: 'failed_face_mismatch',
    title: 'Face does not match',
    description: 'The selfie and the portrait on the document show different people',
    outcome: 'failed',
    reason: 'face_mismatch',
    needsFaceMatch: true,
    knownAfter: 'end',
  },
  {
    name: 'cancelled',
    title: 'Cancelled',
    description: 'The shopper closes or abandons the page',
    outcome: 'cancelled',
    reason: 'cancelled',
    needsFaceMatch: false,
    knownAfter: 'face',
  },
  {
    name: 'timeout',
    title: 'Timed out',
    description: 'The session expires at once',
    outcome: 'expired',
    reason: null,
    needsFaceMatch: false,
    knownAfter: 'face',
  },
  {
    name: 'never',
    title: 'Nothing happens',
    description: 'The session stays pending until it expires',
    outcome: 'pending',
    reason: null,
    needsFaceMatch: false,
    knownAfter: 'face',
  },
] as const satisfies readonly ScenarioFacts[];

/** The name of an entry of the outcome catalogue. */
export type ScenarioName = (typeof SCENARIOS)[number]['name'];

/** An entry of the outcome catalogue. */
export interface Scenario extends ScenarioFacts {
  readonly name: ScenarioName;
}

interface ScenarioFacts {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** The session's status after the scenario. `pending` leaves the session as it is. */
  readonly outcome: 'verified' | 'failed' | 'cancelled' | 'expired' | 'pending';
  /** The reason in webhooks, or null if they have none. */
  readonly reason: string | null;
  /** True if only a session with face match can have this outcome. */
  readonly needsFaceMatch: boolean;
  /**
   * The image after which the outcome is known: the face, the last side of the document, or the last image
   * of the session. A face that looks too young does not end the session, because the document check
   * follows.
   */
  readonly knownAfter: 'face' | 'document' | 'end';
}

export const SCENARIO_NAMES: readonly ScenarioName[] = SCENARIOS.map(({ name }) => name);

export function findScenario(name: string): Scenario | undefined {
  return SCENARIOS.find((scenario) => scenario.name === name);
}

/** Returns the scenario with this name, or the scenario that leads to this event. */
export function toScenario(name: ScenarioName | EventKind): ScenarioName {
  return name in EVENT_RULES ? EVENT_RULES[name as EventKind].scenario : (name as ScenarioName);
}

/** Returns the scenario in an `externalUserId` such as `ofage_test:failed_age_not_met:anna`. */
export function toPresetOutcome(externalUserId: string | null): ScenarioName | null {
  if (!externalUserId?.startsWith(SCENARIO_PREFIX)) return null;
  const [name = ''] = externalUserId.slice(SCENARIO_PREFIX.length).split(':', 1);
  return findScenario(name)?.name ?? null;
}
