import type { Db } from '../store/db.ts';
import { ServiceError } from '../store/errors.ts';
import { findScenario, type ScenarioName } from '../api/scenarios.ts';
import { getTenant } from './tenants.ts';

/** Maximum length of an account's queue. Only a runaway loop would need more. */
export const MAX_NEXT_OUTCOMES = 1_000;

/** Lists the queued scenarios for the account's next sessions, in order. */
export function listNextOutcomes(db: Db, tenantId: string): ScenarioName[] {
  const { scenarios = [] } = db.get('outcomeQueues', getTenant(db, tenantId).id) ?? {};
  return scenarios.flatMap((name) => findScenario(name)?.name ?? []);
}

/** Adds scenarios to the end of the account's queue. Returns the whole queue. */
export function queueNextOutcomes(
  db: Db,
  tenantId: string,
  scenarios: readonly ScenarioName[],
): ScenarioName[] {
  const queue = [...listNextOutcomes(db, tenantId), ...scenarios];
  if (queue.length > MAX_NEXT_OUTCOMES) {
    throw new ServiceError(
      'conflict',
      `An account can have at most ${MAX_NEXT_OUTCOMES} queued outcomes`,
    );
  }
  db.put('outcomeQueues', { id: tenantId, scenarios: queue });
  return queue;
}

export function clearNextOutcomes(db: Db, tenantId: string): void {
  db.delete('outcomeQueues', getTenant(db, tenantId).id);
}

export function peekNextOutcome(db: Db, tenantId: string): string | null {
  return db.get('outcomeQueues', tenantId)?.scenarios[0] ?? null;
}

export function dropNextOutcome(db: Db, tenantId: string): void {
  const [, ...scenarios] = db.get('outcomeQueues', tenantId)?.scenarios ?? [];
  if (scenarios.length === 0) db.delete('outcomeQueues', tenantId);
  else db.put('outcomeQueues', { id: tenantId, scenarios });
}
