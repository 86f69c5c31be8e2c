import type { EventKind } from '../store/event-kinds.ts';
import type { RoutesOf } from './route.ts';

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

/** The state of an endpoint. `healthy` and `failing` depend on its latest requests. */
export type LaneState = 'healthy' | 'failing' | 'paused' | 'disabled';

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
  /** The secret that signs deliveries. If null, deliveries are not signed. @default a generated secret */
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
}

export const endpointRoutes = {
  endpoints: { method: 'GET', path: '/tenants/{id}/webhook-endpoints', items: 'all' },
  createEndpoint: { method: 'POST', path: '/tenants/{id}/webhook-endpoints' },
  endpoint: { method: 'GET', path: '/webhook-endpoints/{id}' },
  updateEndpoint: { method: 'PATCH', path: '/webhook-endpoints/{id}' },
  deleteEndpoint: { method: 'DELETE', path: '/webhook-endpoints/{id}' },
} as const satisfies RoutesOf<EndpointControl>;
