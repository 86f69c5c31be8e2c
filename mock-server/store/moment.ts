import { toUuid, type Random } from './random.ts';
import type { Db } from './db.ts';
import type { TableName } from './tables.ts';

/** The external inputs of a transaction: virtual time and randomness. */
export interface Moment {
  readonly nowMs: number;
  readonly random: Random;
}

/**
 * Returns an id that no row of the table has. Seeded randomness can repeat ids that an earlier run has
 * stored.
 */
export function newId(db: Db, table: TableName, random: Random): string {
  for (;;) {
    const id = toUuid(random);
    if (!db.get(table, id)) return id;
  }
}
