import * as v from 'valibot';
import {
  age,
  billingBlock,
  count,
  device,
  flag,
  id,
  instant,
  instantOrNull,
  mode,
  scenarioName,
  status,
  text,
  textOrNull,
} from '../../operations/schemas/values.ts';

// Responses of the API and of the hosted page's API.

/** The body of every error response of the API, the hosted page's API and the control API. */
export const problem = v.strictObject({
  statusCode: v.pipe(v.number(), v.integer(), v.minValue(400), v.maxValue(599)),
  message: v.union([text, v.array(text)]),
  timestamp: instant,
  path: text,
  error: text,
  code: v.exactOptional(v.literal('SESSION_LAUNCH_CONFIGURATION_UNAVAILABLE')),
});

export const createdSession = v.strictObject({
  sessionId: v.pipe(text, v.uuid()),
  sessionToken: id,
  verifyUrl: v.pipe(text, v.url()),
  expiresAt: instant,
  testMode: v.literal(false),
  sandboxMode: flag,
  externalUserId: textOrNull,
  faceMatchEnabled: flag,
  handoffToken: id,
  billingBlock: v.exactOptional(billingBlock),
});

export const validation = v.strictObject({
  sessionId: v.pipe(text, v.uuid()),
  merchantId: id,
  verified: flag,
  accessGranted: flag,
  status: v.picklist(['pending', 'verified', 'failed', 'cancelled']),
  verificationMode: mode,
  challengeAge: age,
  faceMatchEnabled: flag,
  externalUserId: textOrNull,
  testMode: v.literal(false),
  timestamp: instant,
  expiresAt: instant,
});

export const hostedSession = v.strictObject({
  sessionId: v.pipe(text, v.uuid()),
  status,
  merchantName: textOrNull,
  verificationMode: mode,
  challengeAge: age,
  faceMatchEnabled: flag,
  sandboxMode: flag,
  externalUserId: textOrNull,
  returnUrl: text,
  cancelUrl: textOrNull,
  expiresAt: instant,
  now: instant,
  settledAt: instantOrNull,
  reason: textOrNull,
  presetOutcome: v.nullable(scenarioName),
  retries: count,
  retriesLeft: count,
  needsRetry: flag,
  device,
  activeDevice: device,
  handoffUrl: v.nullable(v.pipe(text, v.url())),
  billingBlock: v.exactOptional(billingBlock),
});
