import type { AccountControl } from './accounts.ts';
import type { ChangeControl } from './changes.ts';
import type { ClockOperations } from './clock.ts';
import type { DeliveryControl } from './deliveries.ts';
import type { Doctor } from './doctor.ts';
import type { EndpointControl } from './endpoints.ts';
import type { FaultControl } from './faults.ts';
import type { KeyControl } from './keys.ts';
import type { ReportControl } from './reports.ts';
import type { RequestControl } from './requests.ts';
import type { SessionControl } from './sessions.ts';
import type { StateControl } from './state.ts';
import type { WebhookControl } from './webhooks.ts';

/**
 * The control API, for the console, tests and tools. Methods reject with an error whose message explains
 * the problem, such as an invalid field or an unknown id.
 */
export interface Control
  extends
    StateControl,
    AccountControl,
    KeyControl,
    EndpointControl,
    WebhookControl,
    SessionControl,
    DeliveryControl,
    FaultControl,
    RequestControl,
    ChangeControl,
    ReportControl,
    Doctor {}

/** Common prefix of all paths of the control API. */
export const CONTROL_PATH = '/control/v1';

/** The path of the stream of changes (server-sent events), below {@link CONTROL_PATH}. */
export const STREAM_PATH = '/stream';

/** HTTP method and path of an operation of the control API. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /**
   * The path below {@link CONTROL_PATH}. Each `{name}` is filled with one of the method's first arguments.
   */
  readonly path: string;
  /**
   * The field of the body for the method's last argument.
   * @default the argument is the body itself, or the query of a `GET`
   */
  readonly field?: string;
  /**
   * Set if the result is in the response's `items`, either as the whole list or as one page.
   * @default the response is the result
   */
  readonly items?: 'all' | 'page';
}

export type RoutesOf<Methods> = { readonly [Name in keyof Methods]: Route };

/** The routes of `service.control`, by method. OpenAPI lists the operations in this order. */
export const CONTROL_ROUTES = {
  state: { method: 'GET', path: '/state' },
  reset: { method: 'POST', path: '/reset' },
  scenarios: { method: 'GET', path: '/scenarios', items: 'all' },
  snapshot: { method: 'GET', path: '/snapshot' },
  loadSnapshot: { method: 'PUT', path: '/snapshot' },
  webhookHold: { method: 'GET', path: '/webhook-hold' },
  releaseWebhooks: { method: 'DELETE', path: '/webhook-hold' },
  publicAddress: { method: 'GET', path: '/public-address' },

  tenants: { method: 'GET', path: '/tenants', items: 'all' },
  createTenant: { method: 'POST', path: '/tenants' },
  tenant: { method: 'GET', path: '/tenants/{id}' },
  updateTenant: { method: 'PATCH', path: '/tenants/{id}' },

  keyPairs: { method: 'GET', path: '/tenants/{id}/key-pairs', items: 'all' },
  createKeyPair: { method: 'POST', path: '/tenants/{id}/key-pairs' },
  setKeyStatus: { method: 'PATCH', path: '/keys/{id}', field: 'status' },
  revokeKey: { method: 'DELETE', path: '/keys/{id}' },

  endpoints: { method: 'GET', path: '/tenants/{id}/webhook-endpoints', items: 'all' },
  createEndpoint: { method: 'POST', path: '/tenants/{id}/webhook-endpoints' },
  endpoint: { method: 'GET', path: '/webhook-endpoints/{id}' },
  updateEndpoint: { method: 'PATCH', path: '/webhook-endpoints/{id}' },
  deleteEndpoint: { method: 'DELETE', path: '/webhook-endpoints/{id}' },
  testEndpoint: { method: 'POST', path: '/webhook-endpoints/{id}/test' },
  resumeEndpoint: { method: 'POST', path: '/webhook-endpoints/{id}/resume' },
  redeliver: { method: 'POST', path: '/webhook-endpoints/{id}/redeliver' },
  rotateSecret: { method: 'POST', path: '/webhook-endpoints/{id}/rotate-secret' },

  legacyWebhook: { method: 'GET', path: '/tenants/{id}/legacy-webhook' },
  putLegacyWebhook: { method: 'PUT', path: '/tenants/{id}/legacy-webhook' },
  deleteLegacyWebhook: { method: 'DELETE', path: '/tenants/{id}/legacy-webhook' },
  migrateLegacyWebhook: { method: 'POST', path: '/tenants/{id}/legacy-webhook/migrate' },
  emails: { method: 'GET', path: '/emails', items: 'all' },
  notices: { method: 'GET', path: '/notices', items: 'all' },
  explainWebhook: { method: 'POST', path: '/webhooks/explain' },
  trigger: { method: 'POST', path: '/events/trigger' },

  sessions: { method: 'GET', path: '/sessions', items: 'page' },
  session: { method: 'GET', path: '/sessions/{id}' },
  sessionStatistics: { method: 'GET', path: '/session-statistics' },
  settle: { method: 'POST', path: '/sessions/{id}/outcome', field: 'outcome' },

  events: { method: 'GET', path: '/events', items: 'page' },
  deliveries: { method: 'GET', path: '/deliveries', items: 'page' },

  nextOutcomes: { method: 'GET', path: '/tenants/{id}/next-outcomes', items: 'all' },
  queueNextOutcomes: {
    method: 'POST',
    path: '/tenants/{id}/next-outcomes',
    field: 'outcomes',
    items: 'all',
  },
  clearNextOutcomes: { method: 'DELETE', path: '/tenants/{id}/next-outcomes' },

  faults: { method: 'GET', path: '/faults', items: 'all' },
  addFault: { method: 'POST', path: '/faults' },
  clearFaults: { method: 'DELETE', path: '/faults' },
  deleteFault: { method: 'DELETE', path: '/faults/{id}' },

  requests: { method: 'GET', path: '/requests', items: 'page' },
  changes: { method: 'GET', path: '/changes', items: 'page' },
  reports: { method: 'GET', path: '/reports', items: 'page' },

  doctor: { method: 'GET', path: '/doctor' },
  observations: { method: 'GET', path: '/observations', items: 'all' },
  addObservation: { method: 'POST', path: '/observations' },
} as const satisfies RoutesOf<Control>;

/** The routes of `service.clock`. */
export const CLOCK_ROUTES = {
  read: { method: 'GET', path: '/clock' },
  freeze: { method: 'POST', path: '/clock/freeze' },
  resume: { method: 'POST', path: '/clock/resume' },
  next: { method: 'POST', path: '/clock/next' },
  advance: { method: 'POST', path: '/clock/advance', field: 'ms' },
  set: { method: 'POST', path: '/clock/set', field: 'now' },
} as const satisfies RoutesOf<ClockOperations>;

/** Returns the parameter names in a path: `/tenants/{id}` has `id`. */
export function namesIn(path: string): string[] {
  return Array.from(path.matchAll(/\{(\w+)\}/g), ([, name = '']) => name);
}

/** Splits the arguments of a method into path parameters and the body or query. */
export function splitArguments(
  { path, field }: Route,
  args: readonly unknown[],
): { readonly ids: readonly string[]; readonly input: unknown } {
  const count = namesIn(path).length;
  const last = args[count];
  return {
    ids: args.slice(0, count).map(String),
    input: field === undefined ? last : { [field]: last },
  };
}
