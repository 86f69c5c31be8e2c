import type { DeliveryPolicy, EventKind } from '../store/event-kinds.ts';
import type { BillingBlock, Device, VerificationMode } from '../store/tables.ts';
import type { AttemptRow, DeliveryStatus } from '../store/webhook-rows.ts';
import type { RoutesOf } from './route.ts';
import type { ScenarioName } from './scenarios.ts';

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

/** The sessions to list. An omitted field does not restrict the list, except `limit`. */
export interface SessionFilter {
  tenantId?: string | undefined;
  pairId?: string | undefined;
  status?: SessionResource['status'] | undefined;
  externalUserId?: string | undefined;
  /** False leaves out the sessions of the playground's labs. @default true */
  labs?: boolean | undefined;
  /** Lists only sessions that were created before the one with this id. */
  before?: string | undefined;
  /** Maximum number of items. The newest ones are returned. @default 100 */
  limit?: number | undefined;
}

/** The events to list. An omitted field does not restrict the list, except `limit`. */
export interface EventFilter {
  tenantId?: string | undefined;
  sessionId?: string | undefined;
  /** Lists only items before the one with this id. */
  before?: string | undefined;
  /** Maximum number of items. The newest ones are returned. @default 100 */
  limit?: number | undefined;
}

/** The deliveries to list. An omitted field does not restrict the list, except `limit`. */
export interface DeliveryFilter extends EventFilter {
  endpointId?: string | undefined;
}

/** The methods for sessions, their events and their deliveries. */
export interface SessionControl {
  /** Returns a session. Unlike a validate call, this does not consume it. */
  session(id: string): Promise<SessionResource>;
  /** Lists sessions, newest first. */
  sessions(filter?: SessionFilter): Promise<SessionResource[]>;
  /** Settles a pending session with a scenario's outcome, without a browser. `never` leaves it pending. */
  settle(sessionId: string, scenario: ScenarioName): Promise<SessionResource>;

  /** Lists events, oldest first. */
  events(filter?: EventFilter): Promise<EventResource[]>;
  /** Lists deliveries with all their attempts, oldest first. */
  deliveries(filter?: DeliveryFilter): Promise<DeliveryResource[]>;
}

export const sessionRoutes = {
  sessions: { method: 'GET', path: '/sessions', items: 'page' },
  session: { method: 'GET', path: '/sessions/{id}' },
  settle: { method: 'POST', path: '/sessions/{id}/outcome', field: 'outcome' },
  events: { method: 'GET', path: '/events', items: 'page' },
  deliveries: { method: 'GET', path: '/deliveries', items: 'page' },
} as const satisfies RoutesOf<SessionControl>;
