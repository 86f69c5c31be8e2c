import { type ValidationResult, OfAgeError, deniesAccess, grantsAccess } from 'ofage/server';
import { OFAGE_ERROR_CODES } from '../../src/server/errors.ts';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { aClient, json } from './an-api.ts';
import { SESSION_ID, validationBody } from './builders.ts';

async function validate(over: object): Promise<ValidationResult> {
  const { client } = await aClient(json(200, validationBody(over)));
  return client.validateSession(SESSION_ID);
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
  it('is true only for the codes of a session that cannot have passed', () => {
    // session_already_used is none: the first result is stored, or its response was lost.
    const denying = OFAGE_ERROR_CODES.filter((code) => deniesAccess(new OfAgeError(code, 'No')));
    expect(denying).toEqual(['session_id_invalid', 'session_expired', 'session_not_found']);
  });

  it.each([undefined, null, new Error('session_expired'), { code: 'session_expired' }])(
    'is false for %s, which the kit did not throw',
    (value) => expect(deniesAccess(value)).toBe(false),
  );
});
