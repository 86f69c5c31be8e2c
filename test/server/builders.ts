/** Response and event bodies as the service sends them, shared by the tests of this folder. */

export const SECRET_KEY = 'sk_test_0123456789abcdefSECRET';
export const SESSION_ID = '3f0f9a52-6a1e-4c8b-9d57-0a6f3c1d2e4b';

export const sessionBody = (over: object = {}): Record<string, unknown> => ({
  sessionId: SESSION_ID,
  sessionToken: 'opaque.token',
  verifyUrl: `https://verify.ofage.example/?sessionId=${SESSION_ID}&sessionToken=opaque.token`,
  expiresAt: '2026-01-02T03:14:05.678Z',
  testMode: false,
  sandboxMode: true,
  externalUserId: null,
  faceMatchEnabled: true,
  handoffToken: 'handoff',
  ...over,
});

export const validationBody = (over: object = {}): Record<string, unknown> => ({
  sessionId: SESSION_ID,
  merchantId: 'tenant-1',
  verified: true,
  accessGranted: true,
  status: 'verified',
  verificationMode: 'L1',
  challengeAge: 25,
  faceMatchEnabled: true,
  externalUserId: 'user-42',
  testMode: false,
  timestamp: '2026-01-02T03:05:05.678Z',
  expiresAt: '2026-01-02T03:14:05.678Z',
  ...over,
});

export const eventBody = (
  over: object = {},
  data: object = {},
): Record<string, unknown> & { data: Record<string, unknown> } => ({
  event: 'verification.completed',
  timestamp: '2026-01-02T03:05:05.678Z',
  tenantId: 'tenant-1',
  test: false,
  eventId: 'b5b1b7a0-27c6-4a93-bd4a-4f1b8d4a0f11',
  ...over,
  data: {
    sessionId: SESSION_ID,
    verified: true,
    verificationMode: 'L1',
    challengeAge: 25,
    timestamp: '2026-01-02T03:05:05.000Z',
    externalUserId: 'user-42',
    ...data,
  },
});
