import type { Explanation } from '../delivery/explain-signature.ts';
import type { Redelivery } from '../webhooks/redelivery.ts';
import type { ExplainInput, LegacyWebhookInput, TriggerInput } from './input-types.ts';
import type { EndpointResource, NewEndpointResource, SessionResource } from './resources.ts';
import type { RoutesOf } from './route.ts';
import type {
  EmailResource,
  LegacyWebhookResource,
  NoticeResource,
  WebhookTestResource,
} from './webhook-resources.ts';

/** The actions of the dashboard's webhook buttons. */
export interface WebhookControl {
  /** Sends a test event. It ends no pause, and is allowed on every endpoint that is enabled. */
  testEndpoint(id: string): Promise<WebhookTestResource>;
  /** Sends a test event; a 2xx ends the pause. Nothing that was not delivered is sent. */
  resumeEndpoint(id: string): Promise<WebhookTestResource>;
  /** Queues up to 500 undelivered events of the last seven days again, once the endpoint delivers. */
  redeliver(endpointId: string): Promise<Redelivery>;
  /**
   * Makes a new secret for an endpoint, which is shown this once. It signs every request from now on, also
   * those of events that are queued or redelivered. An endpoint without a secret gets one.
   */
  rotateSecret(endpointId: string): Promise<NewEndpointResource>;

  legacyWebhook(tenantId: string): Promise<LegacyWebhookResource>;
  /** Sets the single webhook of older accounts, which receives events while the account has no endpoint. */
  putLegacyWebhook(tenantId: string, input: LegacyWebhookInput): Promise<LegacyWebhookResource>;
  deleteLegacyWebhook(tenantId: string): Promise<void>;
  /** Makes it an endpoint with the same address, secret and events. */
  migrateLegacyWebhook(tenantId: string): Promise<EndpointResource>;

  /** Lists the emails to owners and admins, oldest first. */
  emails(filter?: { tenantId?: string | undefined }): Promise<EmailResource[]>;
  /** The dashboard's notices of pauses, oldest first. */
  notices(filter?: { tenantId?: string | undefined }): Promise<NoticeResource[]>;
  /** Says why a signature does not verify. */
  explainWebhook(input: ExplainInput): Promise<Explanation>;
  /** Makes an event happen: creates a session and lets a scenario, or what an event reports, happen to it. */
  trigger(input: TriggerInput): Promise<SessionResource>;
}

export const webhookRoutes = {
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
} as const satisfies RoutesOf<WebhookControl>;
