import { OfAgeError, type OfAgeErrorCode, isOfAgeError } from './errors.ts';
import { isPromise, kindOf } from './json-object.ts';
import { assertOptions, holdsFields } from './option-checks.ts';
import type { VerificationMode } from './session-input.ts';
import type { ValidationResult } from './validation.ts';

/** Requirements on a verified session, for {@link grantsAccess}. */
export interface AccessExpectation {
  /**
   * Your identifier of the user who asks for access now, compared for equality. `null` means that the
   * session was created without one. In that case, compare the session's id with the one stored in the
   * shopper's own login session before you validate it.
   */
  readonly externalUserId: string | null;
  /** The lowest acceptable threshold, in years. If it is absent, any threshold is accepted. */
  readonly minimumChallengeAge?: number;
  /** `L2` requires a document check. If it is absent or `L1`, both modes are accepted. */
  readonly verificationMode?: VerificationMode;
}

/**
 * Tells whether a validation result grants access to this user: it must be verified, belong to this user
 * and meet the minimum policy. A shopper can submit the session id of another user who passed, and only
 * comparing the user prevents that.
 *
 * @param result - the result of `validateSession` or `validateOnce`
 * @param expected - the expected user and the minimum policy
 * @returns `true` only if all requirements are met
 * @throws {@link OfAgeError} with code `invalid_option`, if a requirement is unknown, misspelt or invalid, also
 *   if it is `undefined`, or if `result` is not a result, for example because `await` is missing
 * @example
 * ```ts
 * import { createClient, grantsAccess } from 'ofage/server';
 *
 * const client = createClient({ secretKey: () => process.env['OFAGE_SECRET_KEY'] ?? '' });
 *
 * export async function mayEnter(sessionId: string, userId: string): Promise<boolean> {
 *   const result = await client.validateOnce(sessionId);
 *   return grantsAccess(result, { externalUserId: userId, minimumChallengeAge: 25 });
 * }
 * ```
 */
export function grantsAccess(result: ValidationResult, expected: AccessExpectation): boolean {
  assertResult(result);
  assertExpectation(expected);
  const { externalUserId, minimumChallengeAge, verificationMode } = expected;
  if (minimumChallengeAge !== undefined && !Number.isFinite(result.challengeAge)) {
    refuse(`challengeAge of the result must be a number, got ${kindOf(result.challengeAge)}`);
  }
  return (
    result.verified === true &&
    result.accessGranted === true &&
    result.externalUserId === externalUserId &&
    (minimumChallengeAge === undefined || result.challengeAge >= minimumChallengeAge) &&
    (verificationMode !== 'L2' || result.verificationMode === 'L2')
  );
}

/**
 * Tells whether an error of `validateSession` or `validateOnce` means that the session gives no access, so
 * that the shopper has to start again: it expired, does not exist, or its id is invalid. Every other error
 * says nothing about the shopper's age.
 *
 * It is false for `session_already_used`, because the shopper may have passed: use the stored result of the
 * first call. If there is none, the response was lost, and only the session's signed webhook has the result.
 *
 * @param error - the reason of the rejection
 * @returns `true` for the codes `session_expired`, `session_not_found` and `session_id_invalid`
 * @example
 * ```ts
 * import { createClient, deniesAccess, grantsAccess } from 'ofage/server';
 *
 * const client = createClient({ secretKey: () => process.env['OFAGE_SECRET_KEY'] ?? '' });
 *
 * export async function mayEnter(sessionId: string, userId: string): Promise<boolean> {
 *   try {
 *     const result = await client.validateOnce(sessionId);
 *     return grantsAccess(result, { externalUserId: userId });
 *   } catch (error) {
 *     if (deniesAccess(error)) return false;
 *     throw error;
 *   }
 * }
 * ```
 */
export function deniesAccess(error: unknown): error is OfAgeError {
  return isOfAgeError(error) && DENYING.includes(error.code);
}

const DENYING: readonly OfAgeErrorCode[] = [
  'session_expired',
  'session_not_found',
  'session_id_invalid',
];

function assertResult(value: unknown): void {
  const { verified, accessGranted, externalUserId } = Object(value) as Record<string, unknown>;
  if (typeof value !== 'object' || value === null || isPromise(value)) {
    refuse(`result must be what validateSession or validateOnce resolved to, got ${kindOf(value)}`);
  }
  for (const [name, field] of Object.entries({ verified, accessGranted })) {
    if (typeof field !== 'boolean') {
      refuse(`${name} of the result must be true or false, got ${kindOf(field)}`);
    }
  }
  assertUser(externalUserId, 'externalUserId of the result');
}

/** Refuses all that it does not know, because a requirement that is ignored would give access. */
function assertExpectation(value: unknown): void {
  if (!holdsFields(value)) {
    refuse(`expected an object with externalUserId, got ${kindOf(value)}`);
  }
  assertOptions(value, ACTION, ['externalUserId', 'minimumChallengeAge', 'verificationMode']);
  const expected: Partial<Record<keyof AccessExpectation, unknown>> = value;
  assertUser(expected.externalUserId, 'externalUserId');
  if ('minimumChallengeAge' in expected && !Number.isFinite(expected.minimumChallengeAge)) {
    refuse(`minimumChallengeAge must be a number, got ${kindOf(expected.minimumChallengeAge)}`);
  }
  const { verificationMode } = expected;
  if ('verificationMode' in expected && verificationMode !== 'L1' && verificationMode !== 'L2') {
    refuse(`verificationMode must be L1 or L2, got ${kindOf(verificationMode)}`);
  }
}

function assertUser(value: unknown, name: string): void {
  if (typeof value === 'string' || value === null) return;
  refuse(`${name} must be a string or null, got ${kindOf(value)}`);
}

function refuse(reason: string): never {
  throw new OfAgeError('invalid_option', `${ACTION}: ${reason}`);
}

const ACTION = 'Cannot decide about access';
