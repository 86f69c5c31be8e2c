import { type ValidationResult, createClient, grantsAccess } from 'ofage/server';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { json, startApiServer } from './api-server.ts';
import { SECRET_KEY, SESSION_ID, validationBody } from './builders.ts';

async function validate(over: object): Promise<ValidationResult> {
  const api = await startApiServer(json(200, validationBody(over)));
  return createClient({ secretKey: SECRET_KEY, baseUrl: api.baseUrl }).validateSession(SESSION_ID);
}

const unverified = { verified: false, accessGranted: false };

describe('grantsAccess()', () => {
  it.each([
    { why: 'this user passed', over: {}, expected: { externalUserId: 'user-42' }, access: true },
    {
      why: "somebody else's session",
      over: {},
      expected: { externalUserId: 'user-43' },
      access: false,
    },
    {
      why: 'a session of nobody in particular',
      over: { externalUserId: null },
      expected: { externalUserId: 'user-42' },
      access: false,
    },
    {
      why: 'nobody in particular was expected',
      over: { externalUserId: null },
      expected: { externalUserId: null },
      access: true,
    },
    {
      why: "a user's session where nobody was expected",
      over: {},
      expected: { externalUserId: null },
      access: false,
    },
    {
      why: 'the threshold just reached',
      over: {},
      expected: { externalUserId: 'user-42', minimumChallengeAge: 25 },
      access: true,
    },
    {
      why: 'a lower threshold than needed',
      over: {},
      expected: { externalUserId: 'user-42', minimumChallengeAge: 26 },
      access: false,
    },
    {
      why: 'estimated, a document was needed',
      over: {},
      expected: { externalUserId: 'user-42', verificationMode: 'L2' },
      access: false,
    },
    {
      why: 'a document',
      over: { verificationMode: 'L2' },
      expected: { externalUserId: 'user-42', verificationMode: 'L2' },
      access: true,
    },
    {
      why: 'more than was needed',
      over: { verificationMode: 'L2' },
      expected: { externalUserId: 'user-42', verificationMode: 'L1' },
      access: true,
    },
    {
      why: 'failed',
      over: { ...unverified, status: 'failed' },
      expected: { externalUserId: 'user-42' },
      access: false,
    },
    {
      why: 'cancelled',
      over: { ...unverified, status: 'cancelled' },
      expected: { externalUserId: 'user-42' },
      access: false,
    },
    {
      why: 'pending',
      over: { ...unverified, status: 'pending' },
      expected: { externalUserId: 'user-42' },
      access: false,
    },
  ] as const)('$why: $access', async ({ over, expected, access }) => {
    expect(grantsAccess(await validate(over), expected)).toBe(access);
  });
});

describe('the result is a union that verified tells apart', () => {
  it('gives the verified side alone a certain time', async () => {
    const result = await validate({});
    if (!result.verified) throw new Error('expected verified');
    expectTypeOf(result.status).toEqualTypeOf<'verified'>();
    expectTypeOf(result.timestamp).toEqualTypeOf<string>();
    expectTypeOf<Extract<ValidationResult, { verified: false }>['status']>().toEqualTypeOf<
      'failed' | 'cancelled' | 'pending'
    >();
    expect(result.timestamp).toBe('2026-01-02T03:05:05.678Z');
  });
});
