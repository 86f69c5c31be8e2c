import type { Explanation } from '../send/explain-signature.ts';
import type { Redelivery } from '../rules/redelivery.ts';
import type { ExplainInput, LegacyWebhookInput, TriggerInput } from './input-types.ts';
import type { EndpointResource, NewEndpointResource, SessionResource } from './resources.ts';
import type { RoutesOf } from './route.ts';
import type {
  EmailResource,
  LegacyWebhookResource,
  NoticeResource,
  WebhookTestResource,
} from './webhook-resources.ts';

/**
 * The methods for test events, redelivery, secrets, the legacy webhook, emails and notices, and those that
 * explain signatures and trigger events.
 */
export interface WebhookControl {
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

  /** Returns the legacy webhook of an account. Rejects if it has none. */
  legacyWebhook(tenantId: string): Promise<LegacyWebhookResource>;
  /** Sets the legacy webhook of an account, which receives events while the account has no endpoint. */
  putLegacyWebhook(tenantId: string, input: LegacyWebhookInput): Promise<LegacyWebhookResource>;
  /** Deletes the legacy webhook of an account, and cancels its queued and undelivered events. */
  deleteLegacyWebhook(tenantId: string): Promise<void>;
  /** Converts the legacy webhook to an endpoint with the same URL, secret and events. */
  migrateLegacyWebhook(tenantId: string): Promise<EndpointResource>;

  /** Lists the emails to owners and admins, oldest first. */
  emails(filter?: { tenantId?: string | undefined }): Promise<EmailResource[]>;
  /** Lists the dashboard's notices of pauses, oldest first. */
  notices(filter?: { tenantId?: string | undefined }): Promise<NoticeResource[]>;
  /** Checks the signature of a received webhook, and explains the cause if it does not verify. */
  explainWebhook(input: ExplainInput): Promise<Explanation>;
  /**
   * Creates a session and settles it with the named scenario, or with the scenario that leads to the named
   * event. With `never` and `session.started`, the session stays pending.
   */
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
