// sqlite-kill.test.ts runs and kills this program. It counts in many rows and prints each durable count.
import { writeSync } from 'node:fs';
import { createStore } from '../../../mock-server/store/store.ts';
import { openSqliteLog } from '../../../mock-server/store/logs/sqlite.ts';
import { createDice } from '../delivery/simulation/dice.ts';

const ROWS = 20;
/** The padding is long enough to cause a snapshot every 170 entries or so. */
const PADDING = 'x'.repeat(3_000);

const store = createStore(openSqliteLog(process.argv[2]!));
const dice = createDice(Number(process.argv[3]));

/** Increments a row and its twin in one transaction, and prints the count when it is durable. */
async function increment(row: string): Promise<void> {
  const n = await store.transact((db) => {
    const next = Number(db.get('settings', row)?.value.split(' ')[0] ?? 0) + 1;
    db.put('settings', { id: row, value: `${next} ${PADDING}` });
    db.put('settings', { id: `${row}-twin`, value: `${next} ${PADDING}` });
    return next;
  });
  writeSync(1, `${row} ${n}\n`);
}

/** Increments a row in an endless loop, often twice at once, so that one entry has several transactions. */
async function count(row: string): Promise<void> {
  for (;;) {
    await Promise.all(Array.from({ length: dice.between(1, 2) }, () => increment(row)));
    // The pause varies the order in which the rows change.
    if (dice.chance(0.5)) await new Promise((resolve) => setImmediate(resolve));
  }
}

await Promise.all(Array.from({ length: ROWS }, (_, n) => count(`row-${n}`)));
