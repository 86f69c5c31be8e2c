// Run by sqlite-kill.test.ts, which kills it: counts in many rows, and says each count that is durable.
import { writeSync } from 'node:fs';
import { createStore } from '../../../mock-server/core/store.ts';
import { openSqliteLog } from '../../../mock-server/logs/sqlite.ts';

const ROWS = 20;
/** Long enough for a snapshot every few dozen entries. */
const PADDING = 'x'.repeat(3_000);

const store = createStore(openSqliteLog(process.argv[2]!));

/** Adds one to a row and to its twin, in one transaction, for ever. */
async function count(row: string): Promise<void> {
  for (;;) {
    const n = await store.transact((db) => {
      const next = Number(db.get('settings', row)?.value.split(' ')[0] ?? 0) + 1;
      db.put('settings', { id: row, value: `${next} ${PADDING}` });
      db.put('settings', { id: `${row}-twin`, value: `${next} ${PADDING}` });
      return next;
    });
    writeSync(1, `${row} ${n}\n`);
    // Sometimes alone, sometimes together with others: entries of one transaction and of many.
    if (Math.random() < 0.5) await new Promise((resolve) => setImmediate(resolve));
  }
}

await Promise.all(Array.from({ length: ROWS }, (_, n) => count(`row-${n}`)));
