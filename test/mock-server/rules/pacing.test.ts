import { describe, expect, it } from 'vitest';
import { claimDelivery } from '../../../mock-server/rules/deliveries.ts';
import {
  freshHealth,
  getCurrentLane,
  nextStart,
  stateOf,
  toLaneId,
} from '../../../mock-server/rules/lanes.ts';
import { Db } from '../../../mock-server/store/db.ts';
import { createSeededRandom } from '../../../mock-server/store/random.ts';
import type { DeliveryRow, EndpointHealthRow } from '../../../mock-server/store/rows.ts';
import { toBackoffMs } from '../../../mock-server/rules/webhook-limits.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** The time of the call, long after every row was written. */
const NOW = 100 * DAY;
const [endpointId, url] = ['e', 'https://shop.example/'];
const lane = toLaneId({ endpointId, url });

/** Creates a lane with this health and these deliveries. */
function createLane(health: Partial<EndpointHealthRow>, deliveries: Partial<DeliveryRow>[] = [{}]) {
  const db = new Db();
  db.put('endpoints', {
    id: endpointId,
    tenantId: 't',
    url,
    events: [],
    secret: null,
    pairId: null,
    enabled: true,
    createdAtMs: 0,
    pause: null,
  });
  db.put('endpointHealth', { ...freshHealth({ id: lane, endpointId, url }), ...health });
  for (const [n, row] of deliveries.entries())
    db.put('deliveries', { ...A_DELIVERY, id: `d${n}`, ...row });
  return { db, lane: getCurrentLane(db, endpointId) };
}

const A_DELIVERY: Omit<DeliveryRow, 'id'> = {
  eventId: 'event',
  tenantId: 't',
  endpointId,
  lane,
  url,
  policy: 'durable',
  status: 'pending',
  attempts: 0,
  baseAttempts: 0,
  nextAtMs: 0,
  deadlineAtMs: NOW + DAY,
  leaseUntilMs: null,
  leaseToken: null,
  createdAtMs: 0,
  deliveredAtMs: null,
  undeliveredAtMs: null,
  reason: null,
  redeliveryNo: 0,
};

/** Returns the health of a lane that has failed `count` times, the last time after `runMs`. */
function failed(count: number, runMs = 0, isRejecting = false): Partial<EndpointHealthRow> {
  const failingSinceMs = NOW - runMs;
  return {
    isLastSuccess: false,
    consecutiveFailures: count,
    failingSinceMs,
    rejectingSinceMs: isRejecting ? failingSinceMs : null,
    lastFailureAtMs: NOW,
  };
}

/** Returns the id of the next delivery and the time until its start. */
function nextOf(health: Partial<EndpointHealthRow>, deliveries?: Partial<DeliveryRow>[]) {
  const { db, lane } = createLane(health, deliveries);
  const start = nextStart(db, lane, NOW);
  return start && { id: start.delivery.id, waitMs: start.atMs - NOW };
}

describe('stateOf()', () => {
  it.each([
    ['no request', {}, 'new'],
    ['a success', { isLastSuccess: true }, 'healthy'],
    // A failed test event adds nothing to the run of failures.
    ['a failed test event', { isLastSuccess: false }, 'failing'],
    ['one failure', failed(1), 'failing'],
    ['500 failures in a row', failed(500), 'failing'],
  ])('is, after %s, %s', (_, rows, state) => {
    const { db, lane } = createLane(rows);
    const health = db.get('endpointHealth', lane.id)!;
    expect(stateOf(lane, health)).toBe(state);
    expect(stateOf({ ...lane, endpoint: { ...lane.endpoint, enabled: false } }, health)).toBe(
      'disabled',
    );
  });
});

describe('the wait of a failing lane', () => {
  it.each<[string, number, boolean, number]>([
    ['is a second after failures at the same time', 0, false, SECOND],
    ['is a second until the run is four seconds long', 4 * SECOND, false, SECOND],
    ['is a quarter of the run', 8 * SECOND, false, 2 * SECOND],
    ['is rounded up to a millisecond', 8 * SECOND + 1, false, 2 * SECOND + 1],
    ['is a quarter of the run up to nearly ten minutes', 40 * MINUTE, false, 593 * SECOND],
    ['is nearly ten minutes after a day', DAY, false, 593 * SECOND],
    ['is nearly a minute while all requests are rejected', 40 * MINUTE, true, 59 * SECOND],
    ['is nearly a minute until they have been rejected for an hour', HOUR - 1, true, 59 * SECOND],
    ['is nearly ten minutes after an hour of rejections', HOUR, true, 593 * SECOND],
  ])('%s', (_name, runMs, isRejecting, waitMs) => {
    expect(nextOf(failed(5, runMs, isRejecting))).toEqual({ id: 'd0', waitMs });
  });

  it('is nearly ten minutes if only the later failures are rejections', () => {
    const health = { ...failed(5, 50 * MINUTE), rejectingSinceMs: NOW - 49 * MINUTE };
    expect(nextOf(health)).toEqual({ id: 'd0', waitMs: 593 * SECOND });
  });

  it.each([
    ['is none', 4, 40 * MINUTE, null, 0],
    ['is that of Retry-After, even without failures', 0, 0, HOUR, HOUR],
    ['is that of Retry-After if it is longer', 5, 0, HOUR, HOUR],
    ['is its own if Retry-After is shorter', 5, 40 * MINUTE, MINUTE, 593 * SECOND],
  ])('%s (failures: %i)', (_name, count, runMs, holdMs, waitMs) => {
    const holdUntilMs = holdMs === null ? null : NOW + holdMs;
    expect(nextOf({ ...failed(count, runMs), holdUntilMs })).toEqual({ id: 'd0', waitMs });
  });
});

describe('the next delivery', () => {
  const old = { nextAtMs: NOW - HOUR };
  const middle = { nextAtMs: NOW - MINUTE };
  const recent = { nextAtMs: NOW - SECOND };
  const retry = { attempts: 3, baseAttempts: 1 };
  const dueRetry = { ...retry, nextAtMs: NOW - 2 * HOUR };

  it.each<[string, number, Partial<DeliveryRow>[], string]>([
    ['the oldest untried one of a healthy lane', 4, [recent, old, middle, dueRetry], 'd1'],
    ['the retry that is due first if all were tried', 4, [{ ...retry, ...middle }, dueRetry], 'd1'],
    ['the newest untried one of a failing lane', 5, [old, recent, middle, dueRetry], 'd1'],
    ['the longest due at every fourth failure', 8, [recent, old, middle, dueRetry], 'd3'],
    [
      'an untried one at every fourth failure, if it is due longest',
      8,
      [recent, old, middle],
      'd1',
    ],
    ['a retry of a failing lane if all were tried', 5, [{ ...retry, ...middle }, dueRetry], 'd1'],
    ['a lost one, like an untried one', 5, [dueRetry, { attempts: 2, baseAttempts: 2 }], 'd1'],
  ])('is %s', (_name, count, deliveries, id) => {
    expect(nextOf(failed(count, 40), deliveries)?.id).toBe(id);
  });

  it.each<[string, number, string]>([
    ['the newest untried one if the request may end after an hour of rejections', 15, 'd1'],
    ['the longest due if it must end before', 16, 'd0'],
  ])('is at every fourth failure %s', (_name, leftSeconds, id) => {
    const rejectingSinceMs = NOW + leftSeconds * SECOND - HOUR;
    const lastFailureAtMs = NOW - 593 * SECOND;
    const health = { ...failed(8, 2 * HOUR), rejectingSinceMs, lastFailureAtMs };
    expect(nextOf(health, [dueRetry, recent])).toEqual({ id, waitMs: 0 });
  });

  it('waits for its own backoff', () => {
    const later = { ...retry, nextAtMs: NOW + HOUR };
    expect(nextOf({}, [later])).toEqual({ id: 'd0', waitMs: HOUR });
    expect(nextOf(failed(5), [later])).toEqual({ id: 'd0', waitMs: HOUR });
  });

  it.each([
    [0, 7, true],
    [0, 8, false],
    [4, 7, true],
    [5, 0, true],
    [5, 1, false],
  ])(
    'of a lane with %i failures and %i requests in flight exists: %s',
    (count, inFlight, isSent) => {
      const leased = Array.from({ length: inFlight }, () => ({ leaseUntilMs: NOW + SECOND }));
      const next = nextOf(failed(count), [{}, ...leased]);
      expect(next !== null).toBe(isSent);
      // A test counts like a request, until its lease ends.
      const tested = { ...failed(count), testUntilMs: NOW + 1 };
      expect(nextOf(tested, [{}, ...leased.slice(1)]) !== null).toBe(isSent && inFlight > 0);
      expect(nextOf({ ...tested, testUntilMs: NOW }, [{}, ...leased]) !== null).toBe(isSent);
    },
  );

  it('does not exist if nothing waits, or if the endpoint is paused or disabled', () => {
    expect(nextOf({}, [])).toBeNull();
    for (const stop of [{ enabled: false }, { pause: { atMs: 0, reason: 'failing' as const } }]) {
      const { db, lane } = createLane({});
      expect(nextStart(db, { ...lane, endpoint: { ...lane.endpoint, ...stop } }, NOW)).toBeNull();
    }
  });
});

describe('claimDelivery()', () => {
  it('cancels a delivery whose event no longer exists, so that the lane goes on with the next', () => {
    const { db, lane } = createLane({});
    const moment = { nowMs: NOW, random: createSeededRandom(1) };
    expect(claimDelivery(db, { lane, delivery: db.get('deliveries', 'd0')! }, moment)).toBeNull();
    expect(db.get('deliveries', 'd0')!.status).toBe('cancelled');
    expect(nextStart(db, lane, NOW)).toBeNull();
  });
});

describe('the wait after a failure', () => {
  const waits = (failures: number) =>
    Array.from({ length: 200 }, (_, n) => toBackoffMs(failures, `delivery-${n}`) / SECOND);

  it.each([
    [1, 5],
    [4, 40],
    [99, 600],
  ])('after %i failures is spread between 85 and 100 % of %i s', (failures, longest) => {
    const all = waits(failures);
    expect(Math.min(...all) / longest).toBeCloseTo(0.85, 1);
    expect(Math.min(...all)).toBeGreaterThanOrEqual(0.85 * longest);
    expect(Math.max(...all) / longest).toBeCloseTo(1, 1);
    expect(Math.max(...all)).toBeLessThanOrEqual(longest);
  });
});
