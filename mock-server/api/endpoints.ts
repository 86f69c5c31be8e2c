import type { EndpointChangeInput, EndpointInput } from './input-types.ts';
import type { EndpointResource, NewEndpointResource } from './resources.ts';
import type { RoutesOf } from './route.ts';

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
