import type { Db, Moment } from '../store/db.ts';
import { ServiceError } from '../store/errors.ts';
import { toIso } from '../store/instant.ts';
import { drawFree, toToken } from '../store/random.ts';
import { type AttemptOutcome, resume } from './deliveries.ts';
import {
  findLane,
  getCurrentLane,
  getHealth,
  isCurrentAddress,
  isSlowed,
  isTesting,
  type Lane,
  planLane,
  recordSuccess,
  stateOf,
} from './lanes.ts';
import { getTenant } from './tenants.ts';
import { isHeld } from './webhook-hold.ts';
import { LEASE_MS } from './webhook-limits.ts';

/** A test event to be sent now. */
interface TestClaim {
  readonly laneId: string;
  readonly endpointId: string;
  readonly tenantId: string;
  readonly testToken: string;
  readonly url: string;
  readonly bodyText: string;
  readonly secret: string | null;
}

/**
 * Starts a test of an endpoint: one request, signed like all others, that is not stored as an event. It
 * counts as a parallel request, so that a slowed endpoint still gets one at a time.
 * @throws {ServiceError} conflict if the endpoint is disabled, if its webhooks are held, if another test is in flight, or if a
 *   slowed or paused endpoint has any request in flight
 */
export function claimTest(db: Db, endpointId: string, { nowMs, random }: Moment): TestClaim {
  const lane = getCurrentLane(db, endpointId);
  const health = getHealth(db, lane.id);
  const state = stateOf(lane, health);
  if (state === 'disabled')
    throw new ServiceError('conflict', 'Cannot test the endpoint: it is disabled');
  if (isHeld(db, lane.url))
    throw new ServiceError(
      'conflict',
      'Cannot test the endpoint: webhooks to public addresses are held, because a snapshot file was loaded; send them first, in the console or with releaseWebhooks()',
    );
  const mustBeAlone = isSlowed(health) || state === 'paused';
  if (isTesting(health, nowMs) || (mustBeAlone && db.size('leases', lane.id) > 0)) {
    throw new ServiceError('conflict', 'Cannot test the endpoint: a request to it is in progress');
  }
  const testToken = drawFree(
    () => toToken('test_', random),
    (token) => token === health.testToken,
  );
  db.put('endpointHealth', { ...health, testToken, testUntilMs: nowMs + LEASE_MS });
  planLane(db, lane.id, nowMs);
  const { tenantId, url, secret } = lane.endpoint;
  const bodyText = toTestBody(db, lane, nowMs);
  return { laneId: lane.id, endpointId, tenantId, testToken, url, secret, bodyText };
}

/** The end of a test. `isResume` is true if a success also ends the pause. */
interface TestEnd {
  readonly outcome: AttemptOutcome;
  readonly isResume: boolean;
  readonly nowMs: number;
}

/**
 * Records the result of a test. A success ends a run of failures. If `isResume` is true, it also ends the
 * pause, but the events that were not delivered before stay undelivered. A failure only marks the last
 * request as failed.
 * @returns true if the test ended a pause
 */
export function finishTest(
  db: Db,
  claim: TestClaim,
  { outcome, isResume, nowMs }: TestEnd,
): boolean {
  const lane = findLane(db, claim.laneId);
  // The result does not apply if the endpoint was deleted or its address was changed during the test.
  if (!lane || !isCurrentAddress(lane)) return false;
  const health = getHealth(db, lane.id);
  if (health.testToken !== claim.testToken) return false;
  const isSuccess = outcome.class === 'ok';
  const isResumed = isSuccess && isResume && lane.endpoint.pause !== null;
  db.put('endpointHealth', {
    ...health,
    testToken: null,
    testUntilMs: null,
    isLastSuccess: isSuccess,
  });
  if (isSuccess) recordSuccess(db, lane.id, nowMs);
  if (isResumed) resume(db, lane, nowMs);
  planLane(db, lane.id, nowMs);
  return isResumed;
}

/** Ends a test without a result, because the service closes. */
export function releaseTest(db: Db, { laneId, testToken }: TestClaim, nowMs: number): void {
  const lane = findLane(db, laneId);
  const health = lane && getHealth(db, laneId);
  if (health?.testToken !== testToken) return;
  db.put('endpointHealth', { ...health, testToken: null, testUntilMs: null });
  planLane(db, laneId, nowMs);
}

/** An id that no session has. */
const NO_SESSION = '00000000-0000-0000-0000-000000000000';

/** Serialises a test event. Its kind grants no access, even if the receiver ignores `test`. */
function toTestBody(db: Db, { endpoint }: Lane, nowMs: number): string {
  const { tenantId } = endpoint;
  const { policy } = getTenant(db, tenantId);
  const timestamp = toIso(nowMs);
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
