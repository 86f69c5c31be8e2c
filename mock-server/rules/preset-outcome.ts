import type { Db } from '../store/db.ts';
import { ServiceError } from '../store/errors.ts';
import { peekNextOutcome } from './next-outcomes.ts';
import { findScenario, toPresetOutcome } from '../api/scenarios.ts';

/** The scenario that is set for a new session in advance, and its source. */
export interface PresetOutcome {
  readonly scenario: string | null;
  readonly isQueued: boolean;
}

/** Finds the scenario that the `externalUserId` names, or else the first of the account's queue. */
export function findPresetOutcome(
  db: Db,
  tenantId: string,
  externalUserId: string | null,
  takesQueued: boolean,
): PresetOutcome {
  const named = toPresetOutcome(externalUserId);
  // If the caller names a scenario, the queue is left unchanged for other sessions.
  const queued = named === null && takesQueued ? peekNextOutcome(db, tenantId) : null;
  return { scenario: named ?? queued, isQueued: queued !== null };
}

/**
 * Refuses a scenario that is impossible for the session. Otherwise every usable image would be refused.
 * @throws {ServiceError} invalid_body
 */
export function assertCanHappen(
  { scenario, isQueued }: PresetOutcome,
  faceMatchEnabled: boolean,
): void {
  if (scenario === null || faceMatchEnabled || !findScenario(scenario)?.needsFaceMatch) return;
  const source = isQueued ? 'The next outcome of the account is' : 'externalUserId names';
  throw new ServiceError(
    'invalid_body',
    `${source} the scenario ${scenario}, which needs a session with face match enabled`,
  );
}
