import type { Db } from '../core/db.ts';
import { ServiceError } from '../core/errors.ts';
import { toToken } from '../core/random.ts';
import type { AttemptOutcome } from './attempts.ts';
import { healthOf } from './health.ts';
import { planLane } from './lane-jobs.ts';
import { laneOf, stateOf, type Lane } from './lanes.ts';
import type { Moment } from '../core/moment.ts';
import { isTesting } from './next-start.ts';
import { resume } from './pauses.ts';
import { recordSuccess } from './recovery.ts';
import { getTenant } from '../accounts/tenants.ts';
import { LEASE_MS } from './webhook-limits.ts';

/** A test event that may now be sent. */
export interface TestClaim {
  readonly endpointId: string;
  readonly tenantId: string;
  readonly testToken: string;
  readonly url: string;
  readonly bodyText: string;
  readonly secret: string | null;
}

/**
 * Begins a test of an endpoint: one request, signed as every other one, never stored as an event. It takes
 * up the endpoint's place, so that a failing one still gets one request at a time.
 * @throws {ServiceError} conflict when the endpoint is disabled, or a request is under way that must be alone
 */
export function claimTest(db: Db, endpointId: string, { nowMs, random }: Moment): TestClaim {
  const lane = laneOf(db, endpointId);
  if (!lane) throw new ServiceError('not_found', 'Webhook endpoint not found');
  const state = stateOf(db, lane);
  if (state === 'disabled')
    throw new ServiceError('conflict', 'Cannot test the endpoint: it is disabled');
  const health = healthOf(db, endpointId);
  const mustBeAlone = state === 'failing' || state === 'paused';
  if (isTesting(health, nowMs) || (mustBeAlone && db.size('leases', endpointId) > 0)) {
    throw new ServiceError('conflict', 'Cannot test the endpoint: a request to it is under way');
  }
  const testToken = toToken('test_', random);
  db.put('endpointHealth', { ...health, testToken, testUntilMs: nowMs + LEASE_MS });
  planLane(db, endpointId, nowMs);
  const { tenantId, url, secret } = lane;
  return { endpointId, tenantId, testToken, url, secret, bodyText: toTestBody(db, lane, nowMs) };
}

/**
 * Records a test. A success ends a run of failures, and with `isResume` the pause; it sends nothing that was
 * not delivered before. A failure changes nothing but that the last request was one.
 * @returns whether the endpoint was resumed by it
 */
export function finishTest(
  db: Db,
  claim: TestClaim,
  outcome: AttemptOutcome,
  isResume: boolean,
  nowMs: number,
): boolean {
  const { endpointId } = claim;
  const health = healthOf(db, endpointId);
  // Deleted, or moved to another address, meanwhile: it says nothing about this one.
  const lane = laneOf(db, endpointId);
  if (!lane || health.testToken !== claim.testToken) return false;
  const isSuccess = outcome.class === 'ok';
  const isResumed = isSuccess && isResume && health.pausedAtMs !== null;
  db.put('endpointHealth', {
    ...health,
    testToken: null,
    testUntilMs: null,
    isLastSuccess: isSuccess,
  });
  if (isSuccess) recordSuccess(db, lane, nowMs);
  if (isResumed) resume(db, endpointId, nowMs);
  planLane(db, endpointId, nowMs);
  return isResumed;
}

/** No real session has this id. */
const NO_SESSION = '00000000-0000-0000-0000-000000000000';

/** Of the kind that grants nothing, whatever a receiver overlooks. */
function toTestBody(db: Db, { tenantId }: Lane, nowMs: number): string {
  const { policy } = getTenant(db, tenantId);
  const timestamp = new Date(nowMs).toISOString();
  return JSON.stringify({
    event: 'session.started',
    timestamp,
    tenantId,
    test: true,
    data: {
      sessionId: NO_SESSION,
      verificationMode: policy.verificationMode,
      challengeAge: policy.challengeAge,
      timestamp,
    },
  });
}
