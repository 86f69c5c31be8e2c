import { toUuid, type Random } from './random.ts';
import type { Db } from './db.ts';
import type { TableName } from './tables.ts';

/** What a rule takes from outside: virtual time, and randomness for the ids it makes. */
export interface Moment {
  readonly nowMs: number;
  readonly random: Random;
}

/** An id that no row has. Seeded randomness repeats itself when the state of an earlier run is still there. */
export function newId(db: Db, table: TableName, random: Random): string {
  for (;;) {
    const id = toUuid(random);
    if (!db.get(table, id)) return id;
  }
}
