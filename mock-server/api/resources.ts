import type { Db } from '../store/db.ts';
import type {
  AttemptRow,
  BillingBlock,
  DeliveryPolicy,
  DeliveryRow,
  DeliveryStatus,
  Device,
  EndpointRow,
  EventKind,
  EventRow,
  FaultRow,
  KeyRow,
  Member,
  Policy,
  SessionRow,
  TenantRow,
  VerificationMode,
} from '../store/tables.ts';
import type { ClockState } from '../store/scheduler.ts';
import type { KeyPair } from '../rules/keys.ts';
import { findLegacyWebhook, isForLegacyWebhook } from '../rules/legacy-webhook.ts';
import { toEventBody } from '../rules/payload.ts';
import type { ClockReading } from './clock.ts';
import { toHealthResource, toProductionRefusal, type HealthResource } from './webhook-resources.ts';

/** An account as the control API shows it. Times are ISO 8601, here and in all other resources. */
export interface TenantResource {
  id: string;
  name: string;
  createdAt: string;
  policy: Policy;
  allowedDomains: readonly string[];
  sandboxMode: boolean;
  billingBlock: BillingBlock | null;
  /** Maximum number of requests in 60 seconds. */
  rateLimits: { readonly create: number; readonly validate: number };
  /** The account's members. Owners and admins get its emails. */
  members: readonly Member[];
  /** Maximum number of attempts for each delivery of a timeout event. */
  timeoutAttempts: number;
  /** True if `legacyWebhook` returns one, instead of 404. */
  hasLegacyWebhook: boolean;
}

/** One of the two keys of a pair. */
export interface KeyResource {
  id: string;
  tenantId: string;
  pairId: string;
  kind: KeyRow['kind'];
  value: string;
  status: KeyRow['status'];
  createdAt: string;
}

/** A publishable key and the secret key that belongs to it. */
export interface KeyPairResource {
  pairId: string;
  publishable: KeyResource;
  secret: KeyResource;
}

/** One age check at the service, with its current state. */
export interface SessionResource {
  id: string;
  tenantId: string;
  pairId: string;
  status: 'pending' | 'verified' | 'failed' | 'cancelled' | 'expired';
  createdAt: string;
  expiresAt: string;
  settledAt: string | null;
  /** Time at which validate consumed the session. */
  validatedAt: string | null;
  reason: string | null;
  returnUrl: string;
  cancelUrl: string | null;
  merchantName: string | null;
  externalUserId: string | null;
  verificationMode: VerificationMode;
  challengeAge: number;
  faceMatchEnabled: boolean;
  sandboxMode: boolean;
  billingBlock: BillingBlock | null;
  retries: number;
  /** True if the last image was unusable and another one may be taken. */
  needsRetry: boolean;
  /** The device on which the shopper continues. */
  activeDevice: Device;
  /** The devices on which the hosted page is open. */
  openDevices: readonly Device[];
  /** The scenario that was chosen when the session was created. Null means that the hosted page decides. */
  presetOutcome: string | null;
}

/** An injected fault, with the number of calls or attempts that it still affects. */
export interface FaultResource extends Omit<FaultRow, 'createdAtMs'> {
  createdAt: string;
}

/** A webhook endpoint of an account, with the health of its deliveries. Does not contain the secret. */
export interface EndpointResource {
  id: string;
  tenantId: string;
  url: string;
  events: readonly EventKind[];
  pairId: string | null;
  enabled: boolean;
  hasSecret: boolean;
  createdAt: string;
  health: HealthResource;
  /** The error that production would return for this URL, or null if it would accept it. */
  productionRefusal: string | null;
}

/**
 * A new endpoint, or an endpoint with a new secret. The methods that read endpoints do not return the
 * secret.
 */
export interface NewEndpointResource extends EndpointResource {
  secret: string | null;
}

/** An event of a session, with the body of its webhooks. */
export interface EventResource {
  /** The id, which is the `eventId` in payloads that have one. */
  id: string;
  tenantId: string;
  sessionId: string;
  event: EventKind;
  createdAt: string;
  /**
   * The exact text of the payload. Null for a `session.started` with deliveries of which none has been
   * sent.
   */
  body: string | null;
}

/** One request of a delivery, with its result. */
export interface AttemptResource {
  n: number;
  startedAt: string;
  finishedAt: string | null;
  outcome: AttemptRow['outcome'];
  httpStatus: number | null;
  error: string | null;
  retryAfterMs: number | null;
  durationMs: number | null;
  hops: number;
  bodySha256: string | null;
  /**
   * The value of `x-ofage-signature` in the request. Null if the request was unsigned, or if its result is
   * not known.
   */
  signature: string | null;
  /** The injected fault, or null if there was none. */
  fault: NonNullable<AttemptRow['fault']> | null;
}

/** One event on its way to one endpoint, with its attempts. */
export interface DeliveryResource {
  id: string;
  eventId: string;
  event: EventKind;
  tenantId: string;
  sessionId: string;
  /** Null for the legacy webhook. */
  endpointId: string | null;
  url: string;
  policy: DeliveryPolicy;
  status: DeliveryStatus;
  reason: string | null;
  createdAt: string;
  /** Time at which the next attempt is due, or null once the delivery has ended. */
  nextAttemptAt: string | null;
  /** Number of times this delivery was redelivered on request. */
  redeliveries: number;
  deliveredAt: string | null;
  undeliveredAt: string | null;
  attempts: AttemptResource[];
}

export function toClockReading({ nowMs, frozen, nextDueMs }: ClockState): ClockReading {
  return { now: toIso(nowMs), frozen, nextDue: toIsoOrNull(nextDueMs) };
}

export function toTenantResource(db: Db, { createdAtMs, ...tenant }: TenantRow): TenantResource {
  const hasLegacyWebhook = findLegacyWebhook(db, tenant.id) !== undefined;
  return { ...tenant, createdAt: toIso(createdAtMs), hasLegacyWebhook };
}

export function toKeyResource({ createdAtMs, ...key }: KeyRow): KeyResource {
  return { ...key, createdAt: toIso(createdAtMs) };
}

export function toKeyPairResource({ pairId, publishable, secret }: KeyPair): KeyPairResource {
  return { pairId, publishable: toKeyResource(publishable), secret: toKeyResource(secret) };
}

export function toSessionResource(session: SessionRow): SessionResource {
  const { status, createdAtMs, expiresAtMs, settledAtMs, validatedAtMs, ...rest } = session;
  return {
    ...rest,
    status: status.toLowerCase() as SessionResource['status'],
    createdAt: toIso(createdAtMs),
    expiresAt: toIso(expiresAtMs),
    settledAt: toIsoOrNull(settledAtMs),
    validatedAt: toIsoOrNull(validatedAtMs),
  };
}

export function toFaultResource({ createdAtMs, ...fault }: FaultRow): FaultResource {
  return { ...fault, createdAt: toIso(createdAtMs) };
}

export function toEndpointResource(db: Db, endpoint: EndpointRow, nowMs: number): EndpointResource {
  const { id, tenantId, url, events, pairId, enabled, secret, createdAtMs } = endpoint;
  return {
    id,
    tenantId,
    url,
    events,
    pairId,
    enabled,
    hasSecret: secret !== null,
    createdAt: toIso(createdAtMs),
    health: toHealthResource(db, endpoint, nowMs),
    productionRefusal: toProductionRefusal(url),
  };
}

export function toEventResource(db: Db, event: EventRow): EventResource {
  const { id, tenantId, sessionId, kind, createdAtMs } = event;
  const body = event.body ?? toUnsentBody(db, event);
  return { id, tenantId, sessionId, event: kind, createdAt: toIso(createdAtMs), body };
}

/**
 * Builds the body that an endpoint would have received, for an event that was queued for no endpoint.
 * Returns null if the event has deliveries or its session no longer exists.
 */
function toUnsentBody(db: Db, { id, sessionId, kind, createdAtMs }: EventRow): string | null {
  const session = db.get('sessions', sessionId);
  if (!session || db.find('deliveries', 'eventId', id).length > 0) return null;
  return toEventBody({ id, kind, session, nowMs: createdAtMs });
}

export function toDeliveryResource(
  db: Db,
  delivery: DeliveryRow,
  { kind, sessionId }: EventRow,
): DeliveryResource {
  return {
    id: delivery.id,
    eventId: delivery.eventId,
    event: kind,
    tenantId: delivery.tenantId,
    sessionId,
    endpointId: isForLegacyWebhook(delivery) ? null : delivery.endpointId,
    url: delivery.url,
    policy: delivery.policy,
    status: delivery.status,
    reason: delivery.reason,
    createdAt: toIso(delivery.createdAtMs),
    nextAttemptAt: delivery.status === 'pending' ? toIso(delivery.nextAtMs) : null,
    redeliveries: delivery.redeliveryNo,
    deliveredAt: toIsoOrNull(delivery.deliveredAtMs),
    undeliveredAt: toIsoOrNull(delivery.undeliveredAtMs),
    attempts: db.find('attempts', 'deliveryId', delivery.id).map(toAttemptResource),
  };
}

function toAttemptResource(attempt: AttemptRow): AttemptResource {
  const { n, outcome, httpStatus, error, retryAfterMs, durationMs, hops, bodySha256 } = attempt;
  return {
    n,
    startedAt: toIso(attempt.startedAtMs),
    finishedAt: toIsoOrNull(attempt.finishedAtMs),
    outcome,
    httpStatus,
    error,
    retryAfterMs,
    durationMs,
    hops,
    bodySha256,
    signature: attempt.signature ?? null,
    fault: attempt.fault ?? null,
  };
}

export function toIso(atMs: number): string {
  return new Date(atMs).toISOString();
}

function toIsoOrNull(atMs: number | null): string | null {
  return atMs === null ? null : toIso(atMs);
}
