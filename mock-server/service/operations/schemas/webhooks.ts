import * as v from 'valibot';
import {
  count,
  eventKind,
  flag,
  id,
  instant,
  instantOrNull,
  text,
  textOrNull,
  webhookFault,
} from './values.ts';

// Responses of the control API about webhooks.

export const health = v.strictObject({
  state: v.picklist(['healthy', 'failing', 'paused', 'disabled']),
  consecutiveFailures: count,
  failingSince: instantOrNull,
  lastFailureAt: instantOrNull,
  lastSuccessAt: instantOrNull,
  pausedAt: instantOrNull,
  pauseReason: textOrNull,
  notice: textOrNull,
  undelivered: count,
  mayRedeliver: flag,
  pending: count,
  nextAttemptAt: instantOrNull,
});

export const endpoint = v.strictObject({
  id,
  tenantId: id,
  url: text,
  events: v.array(eventKind),
  pairId: textOrNull,
  enabled: flag,
  hasSecret: flag,
  createdAt: instant,
  health,
  productionRefusal: textOrNull,
});

export const newEndpoint = v.strictObject({ ...endpoint.entries, secret: textOrNull });

export const legacyWebhook = v.strictObject({
  tenantId: id,
  url: text,
  events: v.array(eventKind),
  hasSecret: flag,
  secret: v.exactOptional(textOrNull),
  createdAt: instant,
  isActive: flag,
  health,
  productionRefusal: textOrNull,
});

export const delivery = v.strictObject({
  id,
  eventId: id,
  event: eventKind,
  tenantId: id,
  sessionId: id,
  endpointId: textOrNull,
  url: text,
  policy: v.picklist(['durable', 'timeout', 'inline']),
  status: v.picklist(['pending', 'delivered', 'undelivered', 'cancelled']),
  reason: textOrNull,
  createdAt: instant,
  nextAttemptAt: instantOrNull,
  redeliveries: count,
  deliveredAt: instantOrNull,
  undeliveredAt: instantOrNull,
  attempts: v.array(
    v.strictObject({
      n: count,
      startedAt: instant,
      finishedAt: instantOrNull,
      outcome: v.nullable(v.picklist(['ok', 'reject', 'fail', 'lost'])),
      httpStatus: v.nullable(count),
      error: textOrNull,
      retryAfterMs: v.nullable(count),
      durationMs: v.nullable(count),
      hops: count,
      bodySha256: textOrNull,
      signature: textOrNull,
      fault: v.nullable(webhookFault),
    }),
  ),
});

export const test = v.strictObject({
  success: flag,
  resumed: flag,
  httpStatus: v.nullable(count),
  error: textOrNull,
  durationMs: count,
});

export const redelivery = v.strictObject({ queued: count, remaining: count });

export const email = v.strictObject({
  id,
  tenantId: id,
  to: v.array(text),
  subject: text,
  text,
  createdAt: instant,
});

export const notice = v.strictObject({
  id,
  tenantId: id,
  endpointId: id,
  url: text,
  reason: v.picklist(['rejecting', 'failing']),
  text,
  createdAt: instant,
});

export const explanation = v.strictObject({
  isValid: flag,
  signedBy: v.nullable(v.strictObject({ endpointId: textOrNull, label: text })),
  findings: v.array(v.strictObject({ code: text, message: text })),
});
