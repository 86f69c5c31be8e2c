import * as json from './json-object.ts';
import type { VerificationMode } from './session-input.ts';
import { readSessionFacts } from './session-facts.ts';
import { readTestMode } from './session.ts';

/**
 * Result of {@link Client.validateSession} and {@link Client.validateOnce}, a union discriminated by `verified`. Only the variant with
 * `true` has `status: 'verified'`; a response that contradicts itself is rejected.
 */
export type ValidationResult = VerifiedSession | UnverifiedSession;

/** The shopper passed. See {@link grantsAccess} for the comparisons to make before granting access. */
export interface VerifiedSession extends ValidatedFields {
  readonly verified: true;
  readonly accessGranted: true;
  readonly status: 'verified';
  /** Time at which the verification was completed. ISO 8601. */
  readonly timestamp: string;
}

/** The shopper did not pass, or has not finished. Grant no access. */
export interface UnverifiedSession extends ValidatedFields {
  readonly verified: false;
  readonly accessGranted: false;
  /** `pending` may still change, and does not use the session up. `failed` and `cancelled` are final. */
  readonly status: 'failed' | 'cancelled' | 'pending';
  /**
   * Time at which the session was settled, ISO 8601. `null` if it is pending and the service sent no time.
   */
  readonly timestamp: string | null;
}

/** Fields common to both variants of {@link ValidationResult}. */
export interface ValidatedFields {
  /** The id that was passed to `validateSession`, perhaps in another letter case. */
  readonly sessionId: string;
  /** Id of the session's account. */
  readonly merchantId: string;
  /** The mode of the session: the account's mode, unless the session was created with another one. */
  readonly verificationMode: VerificationMode;
  /** The age threshold that was used, in years. */
  readonly challengeAge: number;
  /** True if face match was enabled, which compares the selfie with the photo of the ID document. */
  readonly faceMatchEnabled: boolean;
  /** Your identifier of the user as given at creation, or `null` if there was none. */
  readonly externalUserId: string | null;
  /**
   * Always `false`.
   * @deprecated There is no replacement.
   */
  readonly testMode: boolean;
  /** End of the session. ISO 8601. */
  readonly expiresAt: string;
}

/** Parses the response of `POST /sessions/validate` for the session `sessionId`. */
export function parseValidation(body: json.JsonObject, sessionId: string): ValidationResult {
  const fields: ValidatedFields = {
    ...readSessionFacts(body),
    merchantId: json.readString(body, 'merchantId'),
    faceMatchEnabled: json.readBoolean(body, 'faceMatchEnabled'),
    externalUserId: json.readOptionalString(body, 'externalUserId') ?? null,
    testMode: readTestMode(body),
    expiresAt: json.readInstant(body, 'expiresAt'),
  };
  // A cache or a proxy that mixes up two responses must not grant access to the wrong shopper.
  if (fields.sessionId.toLowerCase() !== sessionId.toLowerCase()) {
    throw new json.ShapeError('it is about another session');
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
      `it contradicts itself: status ${status}, verified ${verified}, accessGranted ${accessGranted}`,
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
