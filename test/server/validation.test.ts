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

type Expected = Parameters<typeof grantsAccess>[1];
const unverified = { verified: false, accessGranted: false };

describe('grantsAccess()', () => {
  const user = { externalUserId: 'user-42' };
  const document = { verificationMode: 'L2' } as const;
  it.each<[why: string, result: object, expected: Expected, isGranted: boolean]>([
    ['a verified session of the expected user', {}, user, true],
    ['the session of another user', {}, { externalUserId: 'user-43' }, false],
    ['a session without a user', { externalUserId: null }, user, false],
    ['no user where none is expected', { externalUserId: null }, { externalUserId: null }, true],
    ['a user where none is expected', {}, { externalUserId: null }, false],
    ['a challenge age equal to the required one', {}, { ...user, minimumChallengeAge: 25 }, true],
    ['a lower challenge age than required', {}, { ...user, minimumChallengeAge: 26 }, false],
    ['an estimate where a document is required', {}, { ...user, ...document }, false],
    ['a document where one is required', document, { ...user, ...document }, true],
    ['a document where an estimate is enough', document, { ...user, verificationMode: 'L1' }, true],
    ['a failed session', { ...unverified, status: 'failed' }, user, false],
    ['a cancelled session', { ...unverified, status: 'cancelled' }, user, false],
    ['a pending session', { ...unverified, status: 'pending' }, user, false],
  ])('returns $3 for $0', async (_, over, expected, isGranted) => {
    expect(grantsAccess(await validate(over), expected)).toBe(isGranted);
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
