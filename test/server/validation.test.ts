import {
  type ValidationResult,
  OfAgeError,
  createClient,
  deniesAccess,
  grantsAccess,
} from 'ofage/server';
import { OFAGE_ERROR_CODES } from '../../src/server/errors.ts';
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
    {
      why: 'a verified session of the expected user',
      over: {},
      expected: { externalUserId: 'user-42' },
      access: true,
    },
    {
      why: 'the session of another user',
      over: {},
      expected: { externalUserId: 'user-43' },
      access: false,
    },
    {
      why: 'a session without a user',
      over: { externalUserId: null },
      expected: { externalUserId: 'user-42' },
      access: false,
    },
    {
      why: 'a session without a user where none is expected',
      over: { externalUserId: null },
      expected: { externalUserId: null },
      access: true,
    },
    {
      why: 'the session of a user where none is expected',
      over: {},
      expected: { externalUserId: null },
      access: false,
    },
    {
      why: 'a challenge age equal to the required one',
      over: {},
      expected: { externalUserId: 'user-42', minimumChallengeAge: 25 },
      access: true,
    },
    {
      why: 'a lower challenge age than required',
      over: {},
      expected: { externalUserId: 'user-42', minimumChallengeAge: 26 },
      access: false,
    },
    {
      why: 'an estimate where a document is required',
      over: {},
      expected: { externalUserId: 'user-42', verificationMode: 'L2' },
      access: false,
    },
    {
      why: 'a document where one is required',
      over: { verificationMode: 'L2' },
      expected: { externalUserId: 'user-42', verificationMode: 'L2' },
      access: true,
    },
    {
      why: 'a document where an estimate is enough',
      over: { verificationMode: 'L2' },
      expected: { externalUserId: 'user-42', verificationMode: 'L1' },
      access: true,
    },
    {
      why: 'a failed session',
      over: { ...unverified, status: 'failed' },
      expected: { externalUserId: 'user-42' },
      access: false,
    },
    {
      why: 'a cancelled session',
      over: { ...unverified, status: 'cancelled' },
      expected: { externalUserId: 'user-42' },
      access: false,
    },
    {
      why: 'a pending session',
      over: { ...unverified, status: 'pending' },
      expected: { externalUserId: 'user-42' },
      access: false,
    },
  ] as const)('for $why returns $access', async ({ over, expected, access }) => {
    expect(grantsAccess(await validate(over), expected)).toBe(access);
  });
});

describe('ValidationResult, a union discriminated by verified,', () => {
  it('has a timestamp if verified is true, and never the status verified if it is false', async () => {
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

describe('deniesAccess()', () => {
  it.each([
    { why: 'an expired session', status: 400, message: 'Session has expired', denies: true },
    { why: 'an unknown session', status: 404, message: 'Session not found', denies: true },
    // The shopper may have passed: the result of the first call is stored, or its response was lost.
    { why: 'a used session', status: 400, message: 'Session has already been used', denies: false },
    { why: 'a wrong key', status: 401, message: 'Unauthorized', denies: false },
    { why: 'a failure of the service', status: 500, message: 'Oops', denies: false },
  ])('is $denies for $why', async ({ status, message, denies }) => {
    const api = await startApiServer(json(status, { message }));
    const client = createClient({ secretKey: SECRET_KEY, baseUrl: api.baseUrl });
    const error: unknown = await client.validateSession(SESSION_ID).catch((reason) => reason);
    expect(deniesAccess(error)).toBe(denies);
  });

  it('is true for an id that no session can have', async () => {
    const client = createClient({ secretKey: SECRET_KEY });
    const error: unknown = await client.validateSession('x').catch((reason) => reason);
    expect(deniesAccess(error)).toBe(true);
  });

  it('is true for three codes only', () => {
    const denying = OFAGE_ERROR_CODES.filter((code) => deniesAccess(new OfAgeError(code, 'No')));
    expect(denying).toEqual(['session_id_invalid', 'session_expired', 'session_not_found']);
  });

  it.each([undefined, null, new Error('session_expired'), { code: 'session_expired' }])(
    'is false for %s, which the kit did not throw',
    (value) => expect(deniesAccess(value)).toBe(false),
  );
});
