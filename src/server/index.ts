/**
 * The kit for merchant servers: creates sessions, validates them and receives webhooks. Needs `fetch` and
 * Web Crypto, and nothing else.
 *
 * @module ofage/server
 */
export { createClient } from './client.ts';
export type { CallOptions, Client } from './client.ts';
export type { ClientOptions } from './client-options.ts';
export type { ResultStore } from './result-store.ts';
export type { FetchInit, FetchLike, FetchResponse } from './fetch-like.ts';

export type { CreateSessionInput, VerificationMode } from './session-input.ts';
export type { BillingBlock, Session } from './session.ts';

export { deniesAccess, grantsAccess } from './access.ts';
export type { AccessExpectation } from './access.ts';
export type {
  UnverifiedSession,
  ValidatedFields,
  ValidationResult,
  VerifiedSession,
} from './validation.ts';

export { createWebhookHandler } from './webhook-handler.ts';
export type { WebhookAnswer, WebhookHandler } from './webhook-handler.ts';
export type { WebhookRequest } from './webhook-request.ts';
export type {
  WebhookContext,
  WebhookHandlerOptions,
  WebhookProblem,
} from './webhook-handler-options.ts';
export type { RawBody } from './raw-body.ts';
export { createMemoryWebhookStore } from './memory-webhook-store.ts';
export type { MemoryWebhookStoreOptions } from './memory-webhook-store.ts';
export type { WebhookClaim, WebhookStore } from './webhook-store.ts';

export { verifyWebhook } from './webhooks.ts';
export { WEBHOOK_SIGNATURE_HEADER } from './brand.ts';
export type {
  SessionStartedEvent,
  SessionTimeoutEvent,
  VerificationCancelledEvent,
  VerificationCompletedEvent,
  VerificationFailedEvent,
  WebhookEnvelope,
  WebhookEvent,
  WebhookEventKind,
  WebhookSessionData,
} from './webhook-events.ts';

export { OfAgeError, isOfAgeError } from './errors.ts';
export type { OfAgeErrorCode, OfAgeErrorContext } from './errors.ts';
