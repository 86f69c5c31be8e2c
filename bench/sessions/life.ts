// Run by ../sessions.ts in a new process each time. Runs the life cycle of `count` sessions, created over
// `spreadMs` milliseconds, and prints the CPU times as JSON.
import { createKeyPair } from '../../mock-server/rules/keys.ts';
import { createSession, createSessionJobs } from '../../mock-server/rules/sessions.ts';
import { createTenant } from '../../mock-server/rules/tenants.ts';
import { createDeliveryJobs } from '../../mock-server/send/engine.ts';
import { listSessions } from '../../mock-server/service/operations/sessions.ts';
import type { Db } from '../../mock-server/store/db.ts';
import { createMemoryLog } from '../../mock-server/store/logs/memory.ts';
import { createSeededRandom } from '../../mock-server/store/random.ts';
import { createScheduler } from '../../mock-server/store/scheduler.ts';
import { createStore } from '../../mock-server/store/store.ts';

const [count = 0, spreadMs = 0] = process.argv.slice(2).map(Number);
const BATCH = 1_000;
const DAY_MS = 24 * 3_600_000;
const LIST_CALLS = 100;

const startMs = Date.UTC(2026, 0, 1);
const random = createSeededRandom(1);
// Real time is frozen, so that only clock moves run due jobs.
const clock = { now: () => startMs, wakeAt: () => () => {} };
const store = createStore(createMemoryLog(), {
  onChange: (change) => scheduler.observe(change),
});
const sender = { send: () => Promise.reject(new Error('The account has no endpoint')) };
const scheduler = createScheduler({
  store: () => store,
  clock,
  pollMs: 0,
  onError: (error) => {
    throw error;
  },
  handlers: {
    ...createSessionJobs(random),
    ...createDeliveryJobs({ store: () => store, clock, random, sender }),
  },
});
let moment = { nowMs: startMs, random };
const caller = await store.transact((db) => {
  const tenant = createTenant(db, {}, moment);
  return { tenant, key: createKeyPair(db, tenant.id, moment).secret };
});
await scheduler.clock.freeze();

/** Measures CPU time and not wall time, because the machine may be busy. Garbage collection is included. */
async function measure(run: () => Promise<void>): Promise<number> {
  const before = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

async function measureList(filter: Parameters<typeof listSessions>[1]): Promise<number> {
  const read = (db: Db): number => listSessions(db, filter).length;
  const milliseconds = await measure(async () => {
    for (let call = 0; call < LIST_CALLS; call += 1) await store.transact(read);
  });
  return milliseconds / LIST_CALLS;
}

/** Returns the used memory in bytes. Node needs the option --expose-gc. */
function measureMemory(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}

const emptyBytes = measureMemory();
const createMs = await measure(async () => {
  for (let made = 0; made < count; made += BATCH) {
    moment = { random, nowMs: startMs + Math.floor((spreadMs * made) / count) };
    await store.transact((db) => {
      for (let n = 0; n < Math.min(BATCH, count - made); n += 1)
        createSession(db, caller, { returnUrl: 'http://localhost/' }, moment);
    });
  }
});
const createdBytes = measureMemory() - emptyBytes;
const listMs = await measureList({ limit: 10 });
const listOfAccountMs = await measureList({ limit: 10, tenantId: caller.tenant.id });
const expireMs = await measure(
  async () => void (await scheduler.clock.advance(spreadMs + 600_000)),
);
const dropMs = await measure(async () => void (await scheduler.clock.advance(8 * DAY_MS)));
const left = await store.transact((db) => db.count('sessions') + db.count('events'));
if (left > 0) throw new Error(`Cannot drop everything: ${left} rows are left`);
console.log(JSON.stringify({ createMs, createdBytes, listMs, listOfAccountMs, expireMs, dropMs }));
