import { ERROR_NAME, ERRORS_URL } from './brand.ts';
import { RETRYABLE, SENTENCES, type OfAgeErrorCode } from './error-codes.ts';
import type { PopupObstacle } from './self-check.ts';

/** Details beyond the code. The code determines which fields are present. */
export interface OfAgeErrorDetails {
  /** The sentences of the service's answer, for the codes that come from an HTTP answer. */
  messages?: string[];
  /** `rate_limited`: who refused, this browser's own limit or the service. */
  source?: 'client' | 'server';
  /** `popup_blocked`: the likeliest cause. */
  reason?: 'blocked' | 'framed' | PopupObstacle;
  /** `billing_blocked` and `service_unavailable`: the service's own code. */
  code?: string | undefined;
  /** `billing_blocked`: an explanation meant for people. */
  message?: string;
  /**
   * `billing_blocked`: the page on which the account's owner can change the plan, as the service sent it.
   */
  portalUrl?: string | undefined;
}

/** The optional fields of an {@link OfAgeError}. */
export interface OfAgeErrorFields {
  /** HTTP status of the service's answer. */
  status?: number;
  /** Time to wait before the next attempt, in milliseconds, if known. */
  retryAfterMs?: number | undefined;
  /** The session, when one was created before the failure. */
  sessionId?: string | undefined;
  /** See {@link OfAgeErrorDetails}. */
  details?: OfAgeErrorDetails;
  /** The underlying error. */
  cause?: unknown;
}

/**
 * Reports what went wrong. The constructor of the SDK throws it, `verify()` rejects with it and
 * `onError` receives it. Switch on `code`: the message is for developers and may change. No field
 * ever holds a whole API key, a session token or a query string.
 *
 * @example
 * ```ts
 * import { OfAge, isOfAgeError } from 'ofage';
 *
 * const ofAge = new OfAge({ apiKey: 'pk_test_123', returnUrl: 'https://shop.example/return' });
 * ofAge.verify().catch((error: unknown) => {
 *   if (isOfAgeError(error) && error.retryable) console.info('Try again', error.retryAfterMs);
 * });
 * ```
 */
export class OfAgeError extends Error {
  /** The error code. The set of codes is closed. */
  readonly code!: OfAgeErrorCode;
  /** True if the same call may succeed later without a change to the page. */
  readonly retryable!: boolean;
  /** HTTP status of the service's answer. */
  readonly status?: number;
  /** Time to wait before the next attempt, in milliseconds, if known. */
  readonly retryAfterMs?: number | undefined;
  /** The session, when one was created before the failure. */
  readonly sessionId?: string | undefined;
  /** See {@link OfAgeErrorDetails}. */
  readonly details?: OfAgeErrorDetails;

  /**
   * @param code - one of {@link OfAgeErrorCode}
   * @param sentence - what went wrong, without a full stop; the waiting time and a link follow
   * @param fields - what else is known
   */
  constructor(code: OfAgeErrorCode, sentence?: string, fields: OfAgeErrorFields = {}) {
    const { retryAfterMs } = fields;
    const wait = retryAfterMs ? `. Try again in ${Math.ceil(retryAfterMs / 1000)} s` : '';
    super(`${sentence || SENTENCES[code] || code}${wait}. See ${ERRORS_URL}#${code}`);
    const retryable = RETRYABLE.indexOf(code) >= 0;
    Object.assign(this, { name: ERROR_NAME, code, retryable }, fields);
  }

  /**
   * Lists the fields for a log; `cause` stays out because it may hold anything.
   * @returns a plain object that JSON can hold
   */
  toJSON(): object {
    return Object.assign({ message: this.message }, this, { cause: undefined });
  }
}

/**
 * Tells whether a value is an {@link OfAgeError}. Compares literals, not prototypes, so it also
 * recognises an error thrown by a second copy of the SDK on the page.
 *
 * @param value - anything, typically what a `catch` received
 * @returns `true` for an error of this SDK
 */
export function isOfAgeError(value: unknown): value is OfAgeError {
  return (Object(value) as Error).name === ERROR_NAME;
}

/** Throws an {@link OfAgeError}. */
export const fail: (code: OfAgeErrorCode, sentence?: string, fields?: OfAgeErrorFields) => never = (
  code,
  sentence,
  fields,
) => {
  throw new OfAgeError(code, sentence, fields);
};
