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
  /** Handles a Fetch-style request. Never rejects. */
  (request: Request): Promise<Response>;
  /**
   * Handles a request of any other server framework. Write the returned status and headers, and end the
   * response. Never rejects.
   */
  handle(request: WebhookRequest): Promise<WebhookAnswer>;
}

/**
 * The response to send. It has no body, because the service ignores it and an unknown sender should receive
 * no information.
 */
export interface WebhookAnswer {
  /** The HTTP status, one of those that {@link createWebhookHandler} lists. */
  readonly status: number;
  /** The headers to set, by lowercase name. */
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Creates a complete webhook receiver. It reads the raw body, checks its signature, runs `onEvent` once per
 * event, and responds so that the service retries an event whose handling failed.
 *
 * - `204`: handled, handled before, a test event, or a kind that this version does not know;
 * - `401`: not signed with the secret; `400`: signed, but not JSON; `405`: not a POST; `413`: too long;
 * - `503` with `retry-after`: another copy is being handled at this moment;
 * - `500`: `onEvent`, `onTest`, `secret` or the claim of the event failed, the signed event has an
 *   unexpected form, or this server has a bug, for example if it parsed the body first. The service retries
 *   a `verification.*` event for 24 hours. It counts each of the 4xx statuses above as a rejection, and an
 *   hour of rejections pauses the endpoint.
 *
 * @param options - the secret, the event handlers and the limits
 * @returns a function for Fetch-style servers, with `handle` for all others
 * @throws {@link OfAgeError} at once, with code `webhook_secret_required` or `invalid_option`
 * @example
 * ```ts
 * import { createWebhookHandler } from 'ofage/server';
 *
 * const webhooks = createWebhookHandler({
 *   secret: () => process.env['OFAGE_WEBHOOK_SECRET'] ?? '',
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
    // Checks for the field and not its value, because undefined can be thrown as well.
    if ('error' in verdict) {
      try {
        await settings.onProblem({ status, error, event });
      } catch {
        // A failing log must not change whether the service retries the event.
      }
    }
    return { status, headers: HEADERS[status] ?? {} };
  };

  const answer = async (request: Request): Promise<Response> => {
    const { method, headers, bodyUsed } = request;
    const { status, headers: init } = await handle({
      method,
      headers,
      // In a service worker of Firefox, which has no request streams, the body is undefined and not null.
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
 * Reads, parses and handles the request. The status depends on the failing stage, so that an exception in
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
    // A retry would not help for an unknown kind of event, or for a test event, whose form is not
    // specified. Any other signed body is an event that would be lost without a retry.
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

/**
 * Statuses of rejected requests. All other errors of reading a request are this server's own and become a
 * 500; see {@link createWebhookHandler}.
 */
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
  // The delay is only one second, because the service holds back the endpoint's other events until it has
  // passed.
  503: { 'retry-after': '1' },
};
