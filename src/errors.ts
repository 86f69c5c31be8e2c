import { ERROR_NAME } from './brand.ts';
import { RETRYABLE, SENTENCES, type OfAgeErrorCode } from './error-codes.ts';
import { seeHelp } from './help.ts';
import type { PopupObstacle } from './self-check.ts';

/** Details beyond the code. Which fields are present depends on the code and on `source`. */
export interface OfAgeErrorDetails {
  /** The messages of the service's error response, if the error comes from one. */
  messages?: string[];
  /**
   * `client` if this browser's own rate limit refused the call, `server` if the API sent an error response.
   */
  source?: 'client' | 'server';
  /** For `popup_blocked`: the likeliest cause. */
  reason?: 'blocked' | 'framed' | PopupObstacle;
  /**
   * The service's own code, if its response has one. For `billing_blocked`: the code of the billing block.
   */
  code?: string | undefined;
  /** For `billing_blocked`: an explanation that users may see. */
  message?: string | undefined;
  /** For `billing_blocked`: the page on which the account's owner can change the plan. It is a safe URL. */
  portalUrl?: string | undefined;
}

/** The optional fields of an {@link OfAgeError}. */
export interface OfAgeErrorFields {
  /**
   * Whether the same call may succeed later.
   * @default depends on the code
   */
  retryable?: boolean;
  /** The HTTP status of the service's error response, if there was one. */
  status?: number;
  /** Time to wait before the next attempt, in milliseconds, if known. */
  retryAfterMs?: number | undefined;
  /** The id of the session, if one was created before the failure. */
  sessionId?: string | undefined;
  /** See {@link OfAgeErrorDetails}. */
  details?: OfAgeErrorDetails;
  /** The underlying error, such as the `TypeError` of a failed fetch. `toJSON()` leaves it out. */
  cause?: unknown;
}

/**
 * The error class of the SDK. The constructor of the SDK throws it, `verify()` rejects with it and
 * `onError` receives it. Switch on `code`: the message is for developers and may change. The SDK itself
 * never writes a secret key, a session token or a query string into the message.
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
  /** The HTTP status of the service's error response, if there was one. */
  readonly status?: number;
  /** Time to wait before the next attempt, in milliseconds, if known. */
  readonly retryAfterMs?: number | undefined;
  /** The id of the session, if one was created before the failure. */
  readonly sessionId?: string | undefined;
  /** See {@link OfAgeErrorDetails}. */
  readonly details?: OfAgeErrorDetails;

  /**
   * @param code - one of {@link OfAgeErrorCode}
   * @param sentence - the message, without a full stop; the waiting time and a link are appended
   * @param fields - copied to the error
   */
  constructor(code: OfAgeErrorCode, sentence?: string, fields: OfAgeErrorFields = {}) {
    const { retryAfterMs } = fields;
    const wait = retryAfterMs ? `. Try again in ${Math.ceil(retryAfterMs / 1000)} s` : '';
    super(`${sentence || SENTENCES[code] || code}${wait}${seeHelp(code)}`);
    const retryable = RETRYABLE.indexOf(code) >= 0;
    Object.assign(this, { code, retryable }, fields);
  }

  // A getter, because assigning the name throws on a page that has frozen Error.prototype.
  override get name(): string {
    return ERROR_NAME;
  }

  /**
   * Returns the fields for a log. `cause` is left out because it may hold anything.
   * @returns a plain object that can be serialised as JSON
   */
  toJSON(): object {
    return Object.assign({ name: ERROR_NAME, message: this.message }, this, { cause: undefined });
  }
}

/**
 * Tells whether a value is an {@link OfAgeError}. Compares the error's name and not its class, so it also
 * recognises an error thrown by a second copy of the SDK on the page.
 *
 * @param value - anything, typically what a `catch` received
 * @returns `true` for an error of this SDK
 */
export function isOfAgeError(value: unknown): value is OfAgeError {
  return (Object(value) as Error).name === ERROR_NAME;
}

/** Throws an {@link OfAgeError}. A declaration, because only then does the compiler narrow after a call. */
export function fail(code: OfAgeErrorCode, sentence?: string, fields?: OfAgeErrorFields): never {
  throw new OfAgeError(code, sentence, fields);
}
