import * as json from './json-object.ts';
import type { VerificationMode } from './session-input.ts';
import { readSessionFacts } from './session-facts.ts';
import { readTestMode } from './session.ts';

/**
 * Result of {@link Client.validateSession}, a union discriminated by `verified`. Only the `true` side has
 * `status: 'verified'`; a response that contradicts itself is rejected.
 */
export type ValidationResult = VerifiedSession | UnverifiedSession;

/** The shopper passed. See {@link grantsAccess} for what else to compare before giving access. */
export interface VerifiedSession extends ValidatedFields {
  readonly verified: true;
  readonly accessGranted: true;
  readonly status: 'verified';
  /** Time at which the verification was completed. ISO 8601. */
  readonly timestamp: string;
}

/** The shopper did not pass, or has not finished: give no access. */
export interface UnverifiedSession extends ValidatedFields {
  readonly verified: false;
  readonly accessGranted: false;
  /** `pending` may still change, and does not use the session up; the others are final. */
  readonly status: 'failed' | 'cancelled' | 'pending';
  /** Time at which the session was settled, ISO 8601; `null` while it is pending. */
  readonly timestamp: string | null;
}

/** Fields common to both sides of {@link ValidationResult}. */
export interface ValidatedFields {
  /** The session that was asked for. */
  readonly sessionId: string;
  /** The account of the session. */
  readonly merchantId: string;
  /** The mode that was used. */
  readonly verificationMode: VerificationMode;
  /** The age threshold that was used, in years. */
  readonly challengeAge: number;
  /** True if the selfie was compared with the document's photo. */
  readonly faceMatchEnabled: boolean;
  /** Your identifier of the user as given at creation, `null` when there was none. */
  readonly externalUserId: string | null;
  /**
   * Always `false`.
   * @deprecated Nothing replaces it.
   */
  readonly testMode: boolean;
  /** End of the session. ISO 8601. */
  readonly expiresAt: string;
}

/** Requirements on a verified session, for {@link grantsAccess}. */
export interface AccessExpectation {
  /**
   * Your identifier of the user who asks for access now, compared for equality. `null` says that the
   * session was created without one; then compare the session's id with the one kept in the
   * shopper's own login session before validating.
   */
  readonly externalUserId: string | null;
  /** The lowest threshold that will do, in years. Left out: any. */
  readonly minimumChallengeAge?: number;
  /** `L2` asks for a document check. Left out, or `L1`: either mode will do. */
  readonly verificationMode?: VerificationMode;
}

/**
 * Tells whether a validation result gives this user access: it is verified, and it is about this user. A
 * shopper can bring along the session id of another user who passed; comparing the user is what stops that.
 *
 * @param result - what `validateSession` resolved to
 * @param expected - whom and what the session must be about
 * @returns `true` only when everything fits
 * @example
 * ```ts
 * import { createClient, grantsAccess } from 'ofage/server';
 *
 * const client = createClient({ secretKey: process.env['OFAGE_SECRET_KEY'] ?? '' });
 *
 * export async function mayEnter(sessionId: string, userId: string): Promise<boolean> {
 *   const result = await client.validateSession(sessionId);
 *   return grantsAccess(result, { externalUserId: userId, minimumChallengeAge: 25 });
 * }
 * ```
 */
export function grantsAccess(result: ValidationResult, expected: AccessExpectation): boolean {
  return (
    result.verified === true &&
    result.accessGranted === true &&
    result.externalUserId === expected.externalUserId &&
    (expected.minimumChallengeAge === undefined ||
      result.challengeAge >= expected.minimumChallengeAge) &&
    (expected.verificationMode !== 'L2' || result.verificationMode === 'L2')
  );
}

/** Reads the answer of `POST /sessions/validate` to a question about `sessionId`. */
export function parseValidation(body: json.JsonObject, sessionId: string): ValidationResult {
  const fields: ValidatedFields = {
    ...readSessionFacts(body),
    merchantId: json.readString(body, 'merchantId'),
    faceMatchEnabled: json.readBoolean(body, 'faceMatchEnabled'),
    externalUserId: json.readOptionalString(body, 'externalUserId') ?? null,
    testMode: readTestMode(body),
    expiresAt: json.readInstant(body, 'expiresAt'),
  };
  // A cache or a proxy that mixes up two answers must not open the door for the wrong shopper.
  if (fields.sessionId.toLowerCase() !== sessionId.toLowerCase()) {
    throw new json.ShapeError('the answer is about another session');
  }
  const status = json.readOneOf(body, 'status', [
    'verified',
    'failed',
    'cancelled',
    'pending',
  ] as const);
  const verified = json.readBoolean(body, 'verified');
  const accessGranted = json.readBoolean(body, 'accessGranted');
  if (verified !== (status === 'verified') || accessGranted !== verified) {
    throw new json.ShapeError(
      `the answer contradicts itself: status ${status}, verified ${verified}, accessGranted ${accessGranted}`,
    );
  }
  if (status === 'verified') {
    const timestamp = json.readInstant(body, 'timestamp');
    return { ...fields, verified: true, accessGranted: true, status, timestamp };
  }
  const isOpen = status === 'pending' && (json.readField(body, 'timestamp') ?? null) === null;
  const timestamp = isOpen ? null : json.readInstant(body, 'timestamp');
  return { ...fields, verified: false, accessGranted: false, status, timestamp };
}
