import { type ClientOptions, assertTimeoutMs, resolveClientOptions } from './client-options.ts';
import { type CallLimits, withDeadline } from './deadline.ts';
import { OfAgeError } from './errors.ts';
import { linkToHelpOf } from './help.ts';
import { kindOf } from './json-object.ts';
import { assertOptions } from './option-checks.ts';
import { CREATE, type Operation, VALIDATE } from './operations.ts';
import { type Connection, post } from './request.ts';
import { type CreateSessionInput, toCreateBody, warnOfParameters } from './session-input.ts';
import { type Session, isSessionId, parseSession } from './session.ts';
import { createValidateOnce } from './validate-once.ts';
import { type ValidationResult, parseValidation } from './validation.ts';

/**
 * Calls the API with one secret key. Create one client and share it in the whole process, because
 * `validateOnce` of another client does not know the results of this one.
 */
export interface Client {
  /**
   * Creates a session, which expires after ten minutes, and sends the overrides that only a secret key may
   * set (`verificationMode`, `challengeAge`, `faceMatchEnabled`).
   *
   * The client never retries. A second call creates a second session, which is harmless: a session that is
   * never opened expires after ten minutes. Check `billingBlock` before you redirect the shopper.
   *
   * @param input - checked before anything is sent; unknown fields are refused; a `returnUrl` that already
   *   has a parameter that the service appends gives a warning once
   * @param options - an abort signal and a time limit for this call
   * @returns the session; send the shopper to its `verifyUrl` and keep its `sessionId`
   * @throws {@link OfAgeError} `invalid_input`, `invalid_option`, `return_url_not_allowed`,
   *   `merchant_mismatch`, `invalid_request`, `unauthorized`, `forbidden`, `rate_limited` (300 calls in 60
   *   seconds for the account), `launch_configuration_unavailable`, `server_error`, `unexpected_status`,
   *   `network_error`, `request_timeout`, `aborted`, `invalid_response`, `unsupported_environment`; the
   *   codes of an invalid key if `secretKey` is a function
   * @example
   * ```ts
   * import { createClient } from 'ofage/server';
   *
   * const client = createClient({ secretKey: () => process.env['OFAGE_SECRET_KEY'] ?? '' });
   * const session = await client.createSession({
   *   returnUrl: 'https://shop.example/return',
   *   externalUserId: 'user-42',
   *   verificationMode: 'L2',
   * });
   * console.log(session.expiresAt);
   * ```
   */
  createSession(input: CreateSessionInput, options?: CallOptions): Promise<Session>;

  /**
   * Asks the service for the authoritative result of a session, at each call. Base access on this result
   * alone: a status in a return URL, a message or the browser is only a hint.
   *
   * A settled session can be validated once, so store the result, or call {@link Client.validateOnce}, which
   * does that. A `pending` session is not used up. The
   * client never retries, because a lost response (`network_error`, `request_timeout`, `aborted`,
   * `invalid_response`) may have used the session up. A second call is safe, but may reject with
   * `session_already_used`. In that case use the stored result or the session's signed webhook.
   * {@link deniesAccess} tells which errors mean that the session gives no access.
   *
   * @param sessionId - the id from `createSession` or from the return URL
   * @param options - an abort signal and a time limit for this call
   * @returns a union discriminated by `verified`; {@link grantsAccess} also compares the user
   * @throws {@link OfAgeError} `session_id_invalid`, `session_not_found`, `session_expired`,
   *   `session_already_used`, `wrong_tenant`, `invalid_option`, `invalid_request`, `unauthorized`,
   *   `forbidden`, `rate_limited` (100 calls in 60 seconds for the account), `server_error`,
   *   `unexpected_status`, `network_error`, `request_timeout`, `aborted`, `invalid_response`,
   *   `unsupported_environment`; the codes of an invalid key if `secretKey` is a function
   * @example
   * ```ts
   * import { handleReturn } from 'ofage';
   * import { createClient, grantsAccess } from 'ofage/server';
   *
   * const client = createClient({ secretKey: () => process.env['OFAGE_SECRET_KEY'] ?? '' });
   *
   * export async function onReturn(request: Request, userId: string): Promise<Response> {
   *   const sessionId = handleReturn(request.url)?.sessionId ?? '';
   *   const result = await client.validateSession(sessionId);
   *   const welcome = grantsAccess(result, { externalUserId: userId });
   *   return new Response(welcome ? 'Welcome' : 'Sorry', { status: welcome ? 200 : 403 });
   * }
   * ```
   */
  validateSession(sessionId: string, options?: CallOptions): Promise<ValidationResult>;

  /**
   * Returns the authoritative result of a session as often as it is asked for, and asks the service only
   * until the result is final. Several requests for one session may arrive together, for example from two
   * tabs, a reload or a page that sends twice. With `validateSession`, one of them would be refused with
   * `session_already_used`, although the shopper passed.
   *
   * - Simultaneous calls for one session share one request.
   * - A final result is remembered in `resultStore`. A `pending` one and a rejection are not.
   * - A call that joins a running request does not trust a `pending` result of it, and asks once more.
   * - If another process used the session up, the store is read for up to two seconds, until this process
   *   has stored the result.
   *
   * It does not know who asks, so compare the user with {@link grantsAccess}.
   *
   * @param sessionId - the id from `createSession` or from the return URL
   * @returns the same as `validateSession`
   * @throws {@link OfAgeError} the codes of `validateSession` except `aborted`, and `result_store_failed`.
   *   `session_already_used` means that the result was never stored, for example because the response was
   *   lost. Then only the session's signed webhook has it.
   * @example
   * ```ts
   * import { createClient, deniesAccess, grantsAccess } from 'ofage/server';
   *
   * const client = createClient({ secretKey: () => process.env['OFAGE_SECRET_KEY'] ?? '' });
   *
   * export async function isOldEnough(sessionId: string, customerId: string): Promise<boolean> {
   *   try {
   *     const result = await client.validateOnce(sessionId);
   *     return grantsAccess(result, { externalUserId: customerId });
   *   } catch (error) {
   *     if (deniesAccess(error)) return false;
   *     throw error;
   *   }
   * }
   * ```
   */
  validateOnce(sessionId: string): Promise<ValidationResult>;
}

/**
 * Options of a single call, for example to stop it when the shopper has left. An unknown option is refused.
 */
export interface CallOptions {
  /** Aborts the call with the code `aborted`. The service may already have handled the request. */
  signal?: AbortSignal | undefined;
  /**
   * Time limit of this call's request, including its response. Milliseconds, an integer from 1 to
   * 2_147_483_647.
   * @default the client's `timeoutMs`
   */
  timeoutMs?: number | undefined;
}

/**
 * Creates a client for a merchant's server. Needs `fetch` and runs in Node (20.12 and later), Deno, Bun and
 * edge runtimes.
 *
 * @param options - see {@link ClientOptions}
 * @returns a frozen object with three functions; printing it does not reveal the key
 * @throws {@link OfAgeError} at once, if an option is invalid: `secret_key_required`,
 *   `publishable_key_refused`, `secret_key_invalid`, `base_url_invalid`, `invalid_option`
 * @example
 * ```ts
 * import { createClient } from 'ofage/server';
 *
 * export const client = createClient({
 *   secretKey: () => process.env['OFAGE_SECRET_KEY'] ?? '',
 *   baseUrl: process.env['OFAGE_API_BASE'], // unset in production
 * });
 * ```
 */
export function createClient(options: ClientOptions): Client {
  const link = (error: unknown): never => {
    throw linkToHelpOf((options as Partial<ClientOptions> | null | undefined)?.baseUrl, error);
  };
  try {
    const client = createUnlinkedClient(options);
    return Object.freeze({
      createSession: (input: CreateSessionInput, call?: CallOptions) =>
        client.createSession(input, call).catch(link),
      validateSession: (sessionId: string, call?: CallOptions) =>
        client.validateSession(sessionId, call).catch(link),
      validateOnce: (sessionId: string) => client.validateOnce(sessionId).catch(link),
    });
  } catch (error) {
    return link(error);
  }
}

/** Creates a client whose errors link to the documentation. */
function createUnlinkedClient(options: ClientOptions): Client {
  const { connect, timeoutMs, resultStore } = resolveClientOptions(options);

  const toLimits = (call: CallOptions | undefined, { action }: Operation): CallLimits => {
    assertOptions(call, action, ['signal', 'timeoutMs']);
    return {
      timeoutMs:
        call?.timeoutMs === undefined ? timeoutMs : assertTimeoutMs(call.timeoutMs, action),
      signal: assertSignal(call?.signal, action),
    };
  };

  // The secretKey function may take any time, unless the caller aborts.
  const connectFor = ({ action }: Operation, { signal }: CallLimits): Promise<Connection> =>
    withDeadline({ signal }, { action, address: '' }, () => connect(action));

  async function validateSession(sessionId: string, call?: CallOptions): Promise<ValidationResult> {
    const limits = toLimits(call, VALIDATE);
    assertSessionId(sessionId);
    const connection = await connectFor(VALIDATE, limits);
    return post(connection, VALIDATE, { sessionId }, limits, (answer) =>
      parseValidation(answer, sessionId),
    );
  }

  const askOnce = createValidateOnce((sessionId) => validateSession(sessionId), resultStore);

  return {
    async createSession(input: CreateSessionInput, call?: CallOptions): Promise<Session> {
      const limits = toLimits(call, CREATE);
      const connection = await connectFor(CREATE, limits);
      const body = toCreateBody(input, (text) => connection.secretKey.redact(text));
      warnOfParameters(input.returnUrl);
      return post(connection, CREATE, body, limits, parseSession);
    },

    validateSession,

    async validateOnce(sessionId: string): Promise<ValidationResult> {
      assertSessionId(sessionId);
      return askOnce(sessionId);
    },
  };
}

function assertSignal(value: unknown, action: string): AbortSignal | undefined {
  if (value === undefined || value === null) return undefined;
  // Checks the members instead of using instanceof, so that signals of another realm or of a polyfill are
  // accepted.
  if (typeof value === 'object' && 'aborted' in value && 'addEventListener' in value) {
    return value as AbortSignal;
  }
  throw new OfAgeError(
    'invalid_option',
    `${action}: signal must be an AbortSignal, got ${kindOf(value)}`,
  );
}

/**
 * Checks the id's form before sending, because it often comes from a query string that anyone can write. An
 * invalid id then uses none of the account's 100 requests a minute. The message does not quote the value,
 * because messages are logged.
 */
function assertSessionId(value: unknown): asserts value is string {
  if (isSessionId(value)) return;
  throw new OfAgeError(
    'session_id_invalid',
    `${VALIDATE.action}: sessionId must be a string shaped like a UUID, got ${
      typeof value === 'string' ? `a string of length ${value.length}` : kindOf(value)
    }`,
  );
}
