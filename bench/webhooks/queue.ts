// Run by webhooks.ts. Queues the given number of events for a dead endpoint and prints their cost.
import { finishDelivery, processLane } from '../../mock-server/rules/deliveries.ts';
import { createEndpoint } from '../../mock-server/rules/endpoints.ts';
import { createKeyPair } from '../../mock-server/rules/keys.ts';
import { getCurrentLane } from '../../mock-server/rules/lanes.ts';
import { createSession, settleSession } from '../../mock-server/rules/sessions.ts';
import { createTenant } from '../../mock-server/rules/tenants.ts';
import { createMemoryLog } from '../../mock-server/store/logs/memory.ts';
import { createSeededRandom } from '../../mock-server/store/random.ts';
import { createStore } from '../../mock-server/store/store.ts';

const count = Number(process.argv[2]);
const ATTEMPTS = 100;
const BATCH = 1_000;
const random = createSeededRandom(1);
let nowMs = Date.UTC(2026, 0, 1);
const store = createStore(createMemoryLog());

const { tenant, key, laneId } = await store.transact((db) => {
  const moment = { nowMs, random };
  const tenant = createTenant(db, {}, moment);
  const { secret } = createKeyPair(db, tenant.id, moment);
  const url = 'https://shop.example/hook';
  const endpoint = createEndpoint(
    db,
    tenant.id,
    { url, events: ['verification.completed'], pairId: null, enabled: true },
    moment,
  );
  return { tenant, key: secret, laneId: getCurrentLane(db, endpoint.id).id };
});

global.gc?.();
const before = process.memoryUsage().heapUsed;
const began = performance.now();
for (let made = 0; made < count; made += BATCH) {
  nowMs += 1;
  await store.transact((db) => {
    const moment = { nowMs, random };
    for (let n = 0; n < BATCH; n += 1) {
      const { id } = createSession(db, { tenant, key }, { returnUrl: 'http://localhost/' }, moment);
      settleSession(db, id, 'verified', moment);
    }
  });
}
const queueMs = performance.now() - began;
global.gc?.();
const bytes = process.memoryUsage().heapUsed - before;

// Every attempt fails. After the first few failures, the lane sends one request at a time.
let attempts = 0;
const started = performance.now();
while (attempts < ATTEMPTS) {
  nowMs += 600_000;
  const made = await store.transact((db) => {
    const claims = processLane(db, laneId, { nowMs, random });
    for (const claim of claims) {
      const outcome = {
        class: 'fail',
        httpStatus: 500,
        error: null,
        retryAfterMs: null,
        durationMs: 1,
        address: null,
        hops: 0,
        bodySha256: '',
        signature: null,
      } as const;
      finishDelivery(db, claim, outcome, nowMs);
    }
    return claims.length;
  });
  if (made === 0) throw new Error(`No attempt was due after ${attempts} of ${ATTEMPTS}`);
  attempts += made;
}
const attemptMs = (performance.now() - started) / attempts;
console.log(JSON.stringify({ bytes, queueMs, attemptMs }));
