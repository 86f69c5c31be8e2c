import { expect, it, vi } from 'vitest';
import { createEndpoint } from '../../../mock-server/rules/endpoints.ts';
import { createKeyPair } from '../../../mock-server/rules/keys.ts';
import {
  createSession,
  dropOldRecords,
  RETENTION_MS,
  settleSession,
} from '../../../mock-server/rules/sessions.ts';
import { createTenant } from '../../../mock-server/rules/tenants.ts';
import { Db } from '../../../mock-server/store/db.ts';
import { createSeededRandom } from '../../../mock-server/store/random.ts';

const START_MS = Date.UTC(2026, 0, 1);
const moment = { nowMs: START_MS, random: createSeededRandom(1) };

it('a retention pass reads each session once, including those that it must keep', () => {
  const db = new Db();
  const { complete } = aShop(db);
  // Each of these has a pending delivery, as after a redelivery, so no pass deletes them.
  const kept = Array.from({ length: 500 }, complete);
  const over = Array.from({ length: 500 }, complete);
  for (const sessionId of over) deliverAll(db, sessionId);

  const lookups = countLookups(db);
  const batches = runPass(db, START_MS + RETENTION_MS);
  expect(Array.from(db.all('sessions'), ({ id }) => id)).toEqual(kept);
  expect(kept.map((id) => lookups.get(id))).toEqual(kept.map(() => 1));
  // Batches are limited so that requests can run in between.
  expect(Math.max(...batches)).toBe(200);

  for (const sessionId of kept) deliverAll(db, sessionId);
  runPass(db, START_MS + RETENTION_MS + 3_600_000);
  expect([db.count('sessions'), db.count('events'), db.count('deliveries')]).toEqual([0, 0, 0]);
});

function aShop(db: Db): { complete(): string } {
  const tenant = createTenant(db, {}, moment);
  const { secret: key } = createKeyPair(db, tenant.id, moment);
  const events = ['verification.completed'] as const;
  const url = 'https://shop.example/hook';
  createEndpoint(db, tenant.id, { url, events, pairId: null, enabled: true }, moment);
  return {
    complete() {
      const input = { returnUrl: 'http://localhost/' };
      const { id } = createSession(db, { tenant, key }, input, moment);
      settleSession(db, id, 'verified', moment);
      return id;
    },
  };
}

function deliverAll(db: Db, sessionId: string): void {
  for (const event of db.find('events', 'sessionId', sessionId)) {
    for (const delivery of db.find('deliveries', 'eventId', event.id))
      db.put('deliveries', { ...delivery, status: 'delivered', deliveredAtMs: START_MS });
  }
}

/** Counts how often each session's events are looked up. */
function countLookups(db: Db): ReadonlyMap<string, number> {
  const lookups = new Map<string, number>();
  const { find } = db;
  vi.spyOn(db, 'find').mockImplementation((...of) => {
    const id = String(of[2]);
    lookups.set(id, (lookups.get(id) ?? 0) + 1);
    return find.apply(db, of) as never;
  });
  return lookups;
}

/** Runs all batches of one pass, and returns the number of sessions that each batch has read. */
function runPass(db: Db, startMs: number): number[] {
  const batches: number[] = [];
  const { all } = db;
  vi.spyOn(db, 'all').mockImplementation((...walk) => {
    const rows = all.apply(db, walk);
    if (walk[0] !== 'sessions') return rows as never;
    return counted(rows, () => (batches[batches.length - 1]! += 1)) as never;
  });
  let nowMs = startMs;
  let ref = 'retain';
  for (let dueMs = nowMs; dueMs <= nowMs + 1;) {
    nowMs = dueMs;
    batches.push(0);
    dropOldRecords(db, ref, nowMs);
    const job = db.get('jobs', 'retain');
    if (!job || db.count('sessions') === 0) break;
    ({ dueMs, ref } = job);
  }
  vi.restoreAllMocks();
  return batches;
}

function* counted<T>(rows: Iterable<T>, count: () => void): Generator<T, void> {
  for (const row of rows) {
    count();
    yield row;
  }
}
