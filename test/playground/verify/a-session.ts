import type { HostedSession } from '../../../playground/verify/hosted-session.ts';

/** Creates a session as the hosted page receives it, with the given fields. By default it is pending. */
export function aSession(fields: Partial<HostedSession> = {}): HostedSession {
  return {
    sessionId: '3f0d6c1e-8a4b-4c57-9a2e-6b1f5d2c7e90',
    status: 'pending',
    merchantName: 'Kontor',
    verificationMode: 'L1',
    challengeAge: 25,
    faceMatchEnabled: true,
    sandboxMode: true,
    externalUserId: null,
    returnUrl: 'https://shop.example/return',
    cancelUrl: null,
    messageOrigins: ['https://shop.example'],
    expiresAt: '2026-11-21T08:10:00.000Z',
    now: '2026-11-21T08:00:00.000Z',
    settledAt: null,
    reason: null,
    billingBlock: null,
    presetOutcome: null,
    retriesLeft: 2,
    needsRetry: false,
    device: 'first',
    activeDevice: 'first',
    handoffUrl: 'https://verify.example/?sessionId=3f0d&handoffToken=ht1_x',
    ...fields,
  };
}
