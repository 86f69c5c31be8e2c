import * as v from 'valibot';
import {
  apiFault,
  age,
  billingBlock,
  count,
  device,
  eventKind,
  faultKind,
  faultOperation,
  flag,
  id,
  instant,
  instantOrNull,
  mode,
  operation,
  policy,
  scenarioName,
  status,
  text,
  textOrNull,
} from './values.ts';

// Responses of the control API.

export { delivery, endpoint, newEndpoint } from './webhooks.ts';

export const clock = v.strictObject({ now: instant, frozen: flag, nextDue: instantOrNull });

export const tenant = v.strictObject({
  id,
  name: text,
  createdAt: instant,
  policy,
  allowedDomains: v.array(text),
  sandboxMode: flag,
  billingBlock: v.nullable(billingBlock),
  rateLimits: v.strictObject({ create: count, validate: count }),
  members: v.array(
    v.strictObject({ email: text, role: v.picklist(['owner', 'admin', 'developer']) }),
  ),
  timeoutAttempts: count,
  hasLegacyWebhook: flag,
});

export const key = v.strictObject({
  id,
  tenantId: id,
  pairId: id,
  kind: v.picklist(['publishable', 'secret']),
  value: text,
  status: v.picklist(['active', 'paused', 'revoked']),
  createdAt: instant,
});

export const keyPair = v.strictObject({ pairId: id, publishable: key, secret: key });

export const session = v.strictObject({
  id,
  tenantId: id,
  pairId: id,
  status,
  createdAt: instant,
  expiresAt: instant,
  settledAt: instantOrNull,
  validatedAt: instantOrNull,
  reason: textOrNull,
  returnUrl: text,
  cancelUrl: textOrNull,
  merchantName: textOrNull,
  externalUserId: textOrNull,
  verificationMode: mode,
  challengeAge: age,
  faceMatchEnabled: flag,
  sandboxMode: flag,
  billingBlock: v.nullable(billingBlock),
  retries: count,
  needsRetry: flag,
  activeDevice: device,
  openDevices: v.array(device),
  presetOutcome: textOrNull,
});

export const event = v.strictObject({
  id,
  tenantId: id,
  sessionId: id,
  event: eventKind,
  createdAt: instant,
  body: textOrNull,
});

export const fault = v.strictObject({
  id,
  operation: faultOperation,
  fault: faultKind,
  tenantId: textOrNull,
  remaining: count,
  delayMs: count,
  createdAt: instant,
});

const headers = v.record(text, text);

export const request = v.strictObject({
  id: count,
  at: instant,
  realAt: instant,
  durationMs: count,
  method: text,
  path: text,
  operation: v.nullable(operation),
  credential: textOrNull,
  origin: textOrNull,
  isBrowser: flag,
  tenantId: textOrNull,
  sessionId: textOrNull,
  status: count,
  fault: v.nullable(apiFault),
  requestHeaders: headers,
  requestBody: textOrNull,
  responseHeaders: headers,
  responseBody: text,
});

export const state = v.strictObject({
  now: instant,
  clock,
  tenants: v.array(tenant),
  faults: v.array(fault),
  counts: v.strictObject({ sessions: count, events: count, deliveries: count, attempts: count }),
});

export const demo = v.strictObject({
  tenantId: id,
  publishableKey: text,
  secretKey: text,
  webhookSecret: textOrNull,
});

export const scenario = v.strictObject({
  name: scenarioName,
  title: text,
  description: text,
  outcome: v.picklist(['verified', 'failed', 'cancelled', 'expired', 'pending']),
  reason: textOrNull,
  needsFaceMatch: flag,
  knownAfter: v.picklist(['face', 'document', 'end']),
});

export const snapshot = v.strictObject({
  format: v.literal('ofage-mock-snapshot'),
  version: count,
  takenAt: instant,
  frozen: flag,
  secrets: v.exactOptional(v.literal('omitted')),
  tables: v.record(text, v.array(v.looseObject({ id }))),
});

export const list = <S extends v.GenericSchema>(items: S) => v.strictObject({ items });

/** Returns the schema of a page of a list. `next` is the `before` parameter for the page of older items. */
export const page = <S extends v.GenericSchema>(items: S) =>
  v.strictObject({ items, next: v.nullable(v.union([text, count])) });
