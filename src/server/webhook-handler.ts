import { type OfAgeErrorCode, isOfAgeError } from './errors.ts';
import { type JsonObject, readField } from './json-object.ts';
import type { WebhookEvent } from './webhook-events.ts';
import {
  type ResolvedWebhookHandlerOptions,
  type WebhookHandlerOptions,
  resolveWebhookHandlerOptions,
} from './webhook-handler-options.ts';
import { type WebhookRequest, readWebhookRequest } from './webhook-request.ts';
import { type Verdict, runOnce } from './webhook-run.ts';
import { toEvent } from './webhooks.ts';

/** The function that {@link createWebhookHandler} returns. */
export interface WebhookHandler {
  /** Answers a Fetch-style request. Never rejects. */
  (request: Request): Promise<Response>;
  /** Answers a request of any other server: write the status and the headers, and end. Never rejects. */
  handle(request: WebhookRequest): Promise<WebhookAnswer>;
}

/**
 * The response to send. It has no body, because the service ignores it and a stranger should learn nothing.
 */
export interface WebhookAnswer {
  /** The HTTP status. */
  readonly status: number;
  /** The headers to set, by lowercase name. */
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Makes the whole receiving side of a webhook endpoint: reads the raw body, checks its signature,
 * runs `onEvent` once per event, and answers so that the service repeats what was not handled and
 * nothing else.
 *
 * - `204`: handled, handled before, a test, or of a kind that this version does not know;
 * - `401`: not signed with the secret; `400`: signed, and not JSON; `405`: no POST; `413`: too long;
 * - `503` with `retry-after`: another copy is being handled at this moment;
 * - `500`: `onEvent` or the store failed, or the mistake is on this side, such as a body that was
 *   parsed before it got here. The service repeats for 24 hours. It takes a 4xx for a rejection, of
 *   which an hour is enough to pause the endpoint.
 *
 * @param options - the secret, what to do with an event, and limits
 * @returns a function for Fetch-style servers, with `handle` for all others
 * @throws {@link OfAgeError} at once, with code `webhook_secret_required` or `invalid_option`
 * @example
 * ```ts
 * import { createWebhookHandler } from 'ofage/server';
 *
 * const webhooks = createWebhookHandler({
 *   secret: process.env['OFAGE_WEBHOOK_SECRET'] ?? '',
 *   async onEvent(event) {
 *     if (event.event !== 'verification.completed') return;
 *     console.log(`${event.data.externalUserId} passed in ${event.data.sessionId}`);
 *   },
 * });
 *
 * export default { fetch: (request: Request): Promise<Response> => webhooks(request) };
 * ```
 */
export function createWebhookHandler(options: WebhookHandlerOptions): WebhookHandler {
  const settings = resolveWebhookHandlerOptions(options);

  const handle = async (request: WebhookRequest): Promise<WebhookAnswer> => {
    const verdict = await processRequest(settings, request);
    const { status, error, event = null } = verdict;
    // Not by its value: undefined can be thrown as well.
    if ('error' in verdict) {
      try {
        await settings.onProblem({ status, error, event });
      } catch {
        // A broken log is no reason to have the service repeat an event, or to stop repeating it.
      }
    }
    return { status, headers: HEADERS[status] ?? {} };
  };

  const answer = async (request: Request): Promise<Response> => {
    const { method, headers, bodyUsed } = request;
    const { status, headers: init } = await handle({
      method,
      headers,
      // Firefox has no streams in requests, not even null: that matters to service workers.
      body: bodyUsed ? undefined : (request.body ?? readAtOnce(request)),
    });
    return new Response(null, { status, headers: init });
  };
  return Object.assign(answer, { handle });
}

async function* readAtOnce(request: Request): AsyncGenerator<Uint8Array> {
  yield new Uint8Array(await request.arrayBuffer());
}

/**
 * Reads, parses and handles the request. The status depends on the failing stage, so that an exception of
 * `onEvent` is never reported as a wrong signature.
 */
async function processRequest(
  settings: ResolvedWebhookHandlerOptions,
  request: WebhookRequest,
): Promise<Verdict> {
  let body: JsonObject;
  try {
    body = await readWebhookRequest(settings, request);
  } catch (error) {
    return { status: (isOfAgeError(error) && STATUSES[error.code]) || 500, error };
  }
  let event: WebhookEvent;
  try {
    event = toEvent(body);
  } catch (error) {
    // A kind from the future is nothing that we could handle tomorrow. Neither is a test, whose form
    // is not specified. Anything else that the service signed is an event we would lose.
    const isHarmless = isOfAgeError(error) && error.code === 'event_unknown';
    return { status: isHarmless || readField(body, 'test') === true ? 204 : 500, error };
  }
  return event.test ? acknowledgeTest(settings, event) : runOnce(settings, event);
}

async function acknowledgeTest(
  { onTest }: ResolvedWebhookHandlerOptions,
  event: WebhookEvent,
): Promise<Verdict> {
  try {
    await onTest(event);
    return { status: 204 };
  } catch (error) {
    return { status: 500, error, event };
  }
}

/** For requests that are refused. A mistake on our side is a 500: see {@link createWebhookHandler}. */
const STATUSES: Readonly<Partial<Record<OfAgeErrorCode, number>>> = {
  method_not_allowed: 405,
  body_too_large: 413,
  signature_missing: 401,
  signature_malformed: 401,
  signature_mismatch: 401,
  payload_invalid: 400,
};

const HEADERS: Readonly<Record<number, Readonly<Record<string, string>>>> = {
  405: { allow: 'POST' },
  // One second: until then the service sends the endpoint no other event either.
  503: { 'retry-after': '1' },
};
