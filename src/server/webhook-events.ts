import * as json from './json-object.ts';
import { readSessionFacts } from './session-facts.ts';
import type { VerificationMode } from './session-input.ts';

/**
 * A webhook of the service, a union discriminated by `event`.
 *
 * Delivery is at-least-once and the order is not guaranteed. Handle each event once, identified by
 * `eventId` if present and otherwise by `data.sessionId`.
 *
 * @example
 * ```ts
 * import type { WebhookEvent } from 'ofage/server';
 *
 * export function summary(event: WebhookEvent): string {
 *   if (event.test) return 'a test, nothing happened';
 *   switch (event.event) {
 *     case 'verification.completed':
 *       return `${event.data.externalUserId ?? 'a shopper'} passed`;
 *     case 'verification.failed':
 *       return `not passed: ${event.data.reason}`;
 *     case 'verification.cancelled':
 *     case 'session.timeout':
 *     case 'session.started':
 *       return event.event;
 *   }
 * }
 * ```
 */
export type WebhookEvent =
  | SessionStartedEvent
  | VerificationCompletedEvent
  | VerificationFailedEvent
  | VerificationCancelledEvent
  | SessionTimeoutEvent;

/** The possible values of `event`. */
export type WebhookEventKind = WebhookEvent['event'];

/** A session was created. */
export type SessionStartedEvent = WebhookEnvelope<'session.started', WebhookSessionData>;

/** The user passed. */
export type VerificationCompletedEvent = WebhookEnvelope<
  'verification.completed',
  WebhookSessionData & { readonly verified: true }
>;

/** The user did not pass. `reason` has the cause, for example `age_not_met`. */
export type VerificationFailedEvent = WebhookEnvelope<
  'verification.failed',
  WebhookSessionData & { readonly verified: false; readonly reason: string }
>;

/** The user closed or abandoned the verification. */
export type VerificationCancelledEvent = WebhookEnvelope<
  'verification.cancelled',
  WebhookSessionData & { readonly verified: false; readonly reason: 'cancelled' }
>;

/** The session expired before the user finished. `expiresAt` is the time of expiry. */
export type SessionTimeoutEvent = WebhookEnvelope<
  'session.timeout',
  WebhookSessionData & { readonly expiresAt: string }
>;

/** The fields of every event, around its `data`. */
export interface WebhookEnvelope<Kind extends string, Data> {
  /** The kind of event. Switch on it to narrow the type of `data`. */
  readonly event: Kind;
  /**
   * ISO 8601. The event's creation time, but the deadline for `session.timeout` and the send time for
   * `session.started`.
   */
  readonly timestamp: string;
  /** Id of the account, the same as `merchantId` in a validation result. */
  readonly tenantId: string;
  /** `true` for a test event sent from the dashboard. Acknowledge it and change nothing. */
  readonly test: boolean;
  /** Identifies the event in every retry and redelivery. Absent on `session.started`. */
  readonly eventId?: string;
  /** The data of the event, which depends on its kind. */
  readonly data: Data;
}

/** Data common to all events. */
export interface WebhookSessionData {
  /** The session that the event is about. Pass this id to `validateSession`. */
  readonly sessionId: string;
  /** The mode of the session. */
  readonly verificationMode: VerificationMode;
  /** The age threshold of the session, in years. */
  readonly challengeAge: number;
  /** Time of the event. ISO 8601. */
  readonly timestamp: string;
  /** Your identifier of the user. Absent if the session was created without one. */
  readonly externalUserId?: string;
}

const KINDS: readonly WebhookEventKind[] = [
  'session.started',
  'verification.completed',
  'verification.failed',
  'verification.cancelled',
  'session.timeout',
];

/** The event is of a kind that this version does not know. */
export class UnknownKindError extends json.ShapeError {}

/** Parses a body whose signature is verified. Unknown fields are left out. */
export function parseWebhookEvent(body: json.JsonObject): WebhookEvent {
  const name = json.readString(body, 'event');
  const kind = KINDS.find((known) => known === name);
  // Checked before the other fields, because a later kind may have other ones.
  if (!kind) throw new UnknownKindError(`the kind of event "${name.slice(0, 80)}" is unknown`);
  const data = json.toJsonObject(json.readField(body, 'data'), 'data');
  // An empty id is rejected, because as a key it would make all events look like copies of the same event.
  const hasId = (json.readField(body, 'eventId') ?? undefined) !== undefined;
  const envelope = {
    timestamp: json.readInstant(body, 'timestamp'),
    tenantId: json.readString(body, 'tenantId'),
    test: json.readBoolean(body, 'test'),
    ...(hasId ? { eventId: json.readString(body, 'eventId') } : {}),
  };
  switch (kind) {
    case 'session.started':
      return { event: kind, ...envelope, data: parseSessionData(data) };
    case 'verification.completed': {
      const verified = json.readOneOf(data, 'verified', [true] as const);
      return { event: kind, ...envelope, data: { ...parseSessionData(data), verified } };
    }
    case 'verification.failed': {
      const verified = json.readOneOf(data, 'verified', [false] as const);
      const reason = json.readString(data, 'reason');
      return { event: kind, ...envelope, data: { ...parseSessionData(data), verified, reason } };
    }
    case 'verification.cancelled': {
      const verified = json.readOneOf(data, 'verified', [false] as const);
      const reason = json.readOneOf(data, 'reason', ['cancelled'] as const);
      return { event: kind, ...envelope, data: { ...parseSessionData(data), verified, reason } };
    }
    case 'session.timeout': {
      const expiresAt = json.readInstant(data, 'expiresAt');
      return { event: kind, ...envelope, data: { ...parseSessionData(data), expiresAt } };
    }
  }
}

function parseSessionData(data: json.JsonObject): WebhookSessionData {
  const externalUserId = json.readOptionalString(data, 'externalUserId');
  return {
    ...readSessionFacts(data),
    timestamp: json.readInstant(data, 'timestamp'),
    ...(externalUserId === undefined ? {} : { externalUserId }),
  };
}
