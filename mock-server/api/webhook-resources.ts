import type { Db } from '../store/db.ts';
import type { EmailRow, EndpointRow, EventKind, NoticeRow } from '../store/tables.ts';
import { DESTINATION_MESSAGES, checkSpelling } from '../send/destination.ts';
import type { TestResult } from '../send/webhook-tester.ts';
import { endpointsOf } from '../rules/endpoints.ts';
import { getCurrentLane, healthOf, lanesOf } from '../rules/lanes.ts';
import { nextStart, stateOf, type LaneState } from '../rules/pacing.ts';
import { mayRedeliver } from '../rules/redelivery.ts';

/** The state of an endpoint's deliveries. */
export interface HealthResource {
  /**
   * The state of the endpoint, which decides whether events are sent, and how fast. `paused` and `disabled`
   * endpoints get no events.
   */
  state: LaneState;
  /** Number of failed requests since the last success, parallel ones included. */
  consecutiveFailures: number;
  failingSince: string | null;
  lastFailureAt: string | null;
  lastSuccessAt: string | null;
  pausedAt: string | null;
  /** `rejecting` after an hour of rejections, or `failing` after a day of failures. */
  pauseReason: string | null;
  /** The dashboard's notice about the pause. */
  notice: string | null;
  /** Number of stored events that were not delivered. */
  undelivered: number;
  /**
   * True if the endpoint is healthy and has accepted the last request to its URL, so that `redeliver` can
   * queue the undelivered events again.
   */
  mayRedeliver: boolean;
  /** Number of events that are queued or in flight. */
  pending: number;
  /** Expected time of the next request. A new event or a response may change it. */
  nextAttemptAt: string | null;
}

/** The legacy webhook of an account: its single webhook from before endpoints existed. */
export interface LegacyWebhookResource {
  tenantId: string;
  url: string;
  events: readonly EventKind[];
  hasSecret: boolean;
  /** Present only in the response to `putLegacyWebhook`. */
  secret?: string | null;
  createdAt: string;
  /**
   * True if the legacy webhook receives events, which is only the case while the account has no endpoint.
   */
  isActive: boolean;
  health: HealthResource;
  productionRefusal: string | null;
}

/** An email to the owners and admins of an account. The mock only stores it. */
export interface EmailResource {
  id: string;
  tenantId: string;
  to: readonly string[];
  subject: string;
  text: string;
  createdAt: string;
}

/** A notice of the dashboard about an endpoint's pause. */
export interface NoticeResource {
  id: string;
  tenantId: string;
  endpointId: string;
  url: string;
  reason: NoticeRow['reason'];
  text: string;
  createdAt: string;
}

/** The receiver's response to a test event, and its effect on a pause. */
export interface WebhookTestResource {
  /** True if the receiver accepted the test event. */
  success: boolean;
  /** True if the test ended a pause. */
  resumed: boolean;
  httpStatus: number | null;
  /** The error if there was no final response. */
  error: string | null;
  durationMs: number;
}

export function toHealthResource(db: Db, endpoint: EndpointRow, nowMs: number): HealthResource {
  const { id, pause } = endpoint;
  const present = getCurrentLane(db, id);
  const health = healthOf(db, present.id);
  const lanes = lanesOf(db, id);
  const count = (queue: 'deadlines' | 'leases'): number =>
    lanes.reduce((sum, lane) => sum + db.size(queue, lane.id), 0);
  const starts = lanes.flatMap((lane) => nextStart(db, { ...lane, endpoint }, nowMs)?.atMs ?? []);
  // Covers all addresses, because people want to know when the endpoint last accepted a request.
  const successes = lanes.flatMap(({ lastSuccessAtMs }) => lastSuccessAtMs ?? []);
  // Finds the notice by its time. Its id is not reliable, because the notice of a migrated legacy webhook
  // keeps an id that contains the id of the legacy webhook.
  const notice = db
    .find('notices', 'endpointId', id)
    .find(({ createdAtMs }) => createdAtMs === pause?.atMs);
  return {
    state: stateOf(present, health),
    consecutiveFailures: health.consecutiveFailures,
    failingSince: toIsoOrNull(health.failingSinceMs),
    lastFailureAt: toIsoOrNull(health.lastFailureAtMs),
    lastSuccessAt: successes.length === 0 ? null : toIso(Math.max(...successes)),
    pausedAt: toIsoOrNull(pause?.atMs ?? null),
    pauseReason: pause?.reason ?? null,
    notice: notice?.text ?? null,
    undelivered: db.size('undelivered', id),
    mayRedeliver: mayRedeliver(db, present),
    pending: count('deadlines') + count('leases'),
    nextAttemptAt: starts.length === 0 ? null : toIso(Math.min(...starts)),
  };
}

/**
 * Returns the error that production would return for the URL, or null if production would accept it. Host
 * names are not resolved.
 */
export function toProductionRefusal(url: string): string | null {
  const verdict = checkSpelling(url, false);
  return verdict.kind === 'refused' ? DESTINATION_MESSAGES[verdict.error] : null;
}

export function toLegacyResource(
  db: Db,
  legacy: EndpointRow,
  nowMs: number,
): LegacyWebhookResource {
  const { tenantId, url, events, secret, createdAtMs } = legacy;
  return {
    tenantId,
    url,
    events,
    hasSecret: secret !== null,
    createdAt: toIso(createdAtMs),
    isActive: endpointsOf(db, tenantId).length === 0,
    health: toHealthResource(db, legacy, nowMs),
    productionRefusal: toProductionRefusal(url),
  };
}

export function toEmailResource({ createdAtMs, ...email }: EmailRow): EmailResource {
  return { ...email, createdAt: toIso(createdAtMs) };
}

export function toNoticeResource({ createdAtMs, ...notice }: NoticeRow): NoticeResource {
  return { ...notice, createdAt: toIso(createdAtMs) };
}

export function toTestResource({ outcome, isResumed }: TestResult): WebhookTestResource {
  const { httpStatus, error, durationMs } = outcome;
  return { success: outcome.class === 'ok', resumed: isResumed, httpStatus, error, durationMs };
}

function toIso(atMs: number): string {
  return new Date(atMs).toISOString();
}

function toIsoOrNull(atMs: number | null): string | null {
  return atMs === null ? null : toIso(atMs);
}
