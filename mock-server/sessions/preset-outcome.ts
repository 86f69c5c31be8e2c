import type { Db } from '../core/db.ts';
import { ServiceError } from '../core/errors.ts';
import { peekNextOutcome } from '../accounts/next-outcomes.ts';
import { findScenario, toPresetOutcome } from './scenarios.ts';

/** The scenario that a new session takes by itself, and where it comes from. */
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
  // A scenario that the caller names leaves the queue for other sessions.
  const queued = named === null && takesQueued ? peekNextOutcome(db, tenantId) : null;
  return { scenario: named ?? queued, isQueued: queued !== null };
}

/**
 * Refuses a scenario that can never happen to the session: its every image would be refused.
 * @throws {ServiceError} invalid_body
 */
export function assertCanHappen(
  { scenario, isQueued }: PresetOutcome,
  faceMatchEnabled: boolean,
): void {
  if (scenario === null || faceMatchEnabled || !findScenario(scenario)?.needsFaceMatch) return;
  const source = isQueued ? 'The next outcome of the account' : 'externalUserId';
  throw new ServiceError(
    'invalid_body',
    `${source} asks for ${scenario}, which needs a session with face match enabled`,
  );
}
