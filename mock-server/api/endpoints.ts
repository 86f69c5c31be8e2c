import type { EventKind } from '../store/event-kinds.ts';

/** A webhook endpoint of an account, with the health of its deliveries. Does not contain the secret. */
export interface EndpointResource {
  id: string;
  tenantId: string;
  url: string;
  events: readonly EventKind[];
  pairId: string | null;
  enabled: boolean;
  hasSecret: boolean;
  /** True for the receiver of the playground's webhook lab, which fails on purpose. */
  isLab: boolean;
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

/** The state of an endpoint's deliveries. */
export interface HealthResource {
  /** The state of the endpoint. `paused` and `disabled` endpoints get no events. */
  state: EndpointState;
  /** Number of failed requests since the last success, parallel ones included. */
  consecutiveFailures: number;
  failingSince: string | null;
  lastFailureAt: string | null;
  lastSuccessAt: string | null;
  pausedAt: string | null;
  /** `rejecting` after an hour of rejections, or `failing` after a day of failures. */
  pauseReason: string | null;
  /** The console's notice about the pause. */
  notice: string | null;
  /** Number of stored events that were not delivered. */
  undelivered: number;
  /** True if the endpoint is healthy, so that `redeliver` can queue the undelivered events again. */
  mayRedeliver: boolean;
  /** Number of events that are queued or in flight. */
  pending: number;
  /** Expected time of the next request. A new event or a response may change it. */
  nextAttemptAt: string | null;
}

/**
 * The state of an endpoint. While it is neither `paused` nor `disabled`, the last request to its URL
 * decides, test events included: `healthy` if it was accepted, `failing` if not, `new` if none has ended yet.
 */
export type EndpointState = 'new' | 'healthy' | 'failing' | 'paused' | 'disabled';

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

/**
 * The number of events that a redelivery has queued, and the number of undelivered events of the last seven
 * days that remain.
 */
export interface Redelivery {
  readonly queued: number;
  readonly remaining: number;
}

/** The settings of a new webhook endpoint. */
export interface EndpointInput {
  /** An https URL on the public Internet, or a URL on this computer if that is allowed. */
  url: string;
  /** The event kinds that the endpoint receives, 1 to 20. @default all */
  events?: EventKind[] | null;
  /** Limits the endpoint to sessions of this key pair. @default null, the whole account */
  pairId?: string | null;
  /** @default true */
  enabled?: boolean | null;
  /**
   * The secret that signs deliveries, without line breaks and control characters. If null, deliveries are
   * not signed.
   * @default a generated secret
   */
  secret?: string | null;
}

/**
 * Changes to a webhook endpoint. Absent fields keep their value. So do fields that are null, except
 * `pairId` and `secret`.
 */
export interface EndpointChangeInput {
  /** The new URL. Queued events are still sent to the old one. */
  url?: string | null;
  events?: EventKind[] | null;
  /** The key pair, or null for the whole account. */
  pairId?: string | null;
  /** False disables the endpoint and ends its queued deliveries. */
  enabled?: boolean | null;
  /** The new secret, which signs from the next request on. If null, requests are not signed. */
  secret?: string | null;
}

/** The methods for webhook endpoints, their test events, redelivery and secrets. */
export interface EndpointControl {
  /** Lists an account's webhook endpoints, without its legacy webhook. */
  endpoints(tenantId: string): Promise<EndpointResource[]>;
  /** Returns a webhook endpoint with its health, but without its secret. */
  endpoint(id: string): Promise<EndpointResource>;
  /**
   * Adds a webhook endpoint. If `events` is omitted, it receives all kinds of events. If `secret` is
   * omitted, one is generated.
   */
  createEndpoint(tenantId: string, input: EndpointInput): Promise<NewEndpointResource>;
  /** Changes the given settings of an endpoint. */
  updateEndpoint(id: string, change: EndpointChangeInput): Promise<EndpointResource>;
  /** Deletes an endpoint, and cancels its pending deliveries. */
  deleteEndpoint(id: string): Promise<void>;

  /** Sends a test event to an endpoint, which must be enabled. The test does not end a pause. */
  testEndpoint(id: string): Promise<WebhookTestResource>;
  /** Sends a test event. A 2xx response ends the pause. Undelivered events are not sent. */
  resumeEndpoint(id: string): Promise<WebhookTestResource>;
  /**
   * Queues up to 500 undelivered events of the last seven days for another delivery. The endpoint must have
   * accepted the last request and must not be paused or disabled.
   */
  redeliver(endpointId: string): Promise<Redelivery>;
  /**
   * Generates a new secret for an endpoint and returns it once. It signs every further request, including
   * those of queued and redelivered events. An endpoint without a secret gets one.
   */
  rotateSecret(endpointId: string): Promise<NewEndpointResource>;
}
