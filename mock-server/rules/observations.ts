import type { Db } from '../store/db.ts';
import type { ObservationRow } from '../store/tables.ts';

const MAX_OBSERVATIONS = 500;

/** Adds an observation, and drops the oldest beyond {@link MAX_OBSERVATIONS}. */
export function addObservation(
  db: Db,
  observation: Omit<ObservationRow, 'id' | 'no'>,
): ObservationRow {
  const known = listObservations(db);
  const no = (known.at(-1)?.no ?? 0) + 1;
  for (const { id } of known.slice(0, 1 - MAX_OBSERVATIONS)) db.delete('observations', id);
  return db.put('observations', { id: String(no), no, ...observation });
}

/** Lists the observations, oldest first. */
export function listObservations(db: Db): ObservationRow[] {
  // A snapshot may have them in any order.
  return [...db.all('observations')].sort((a, b) => a.no - b.no);
}
