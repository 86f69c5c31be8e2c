import { type OfAgeErrorCode, isOfAgeError } from './errors.ts';
import { type JsonObject, readField } from './json-object.ts';
import type { WebhookEvent } from './webhook-events.ts';
import {
  type ResolvedWebhookHandlerOptions,
  type WebhookHandlerOptions,
  resolveWebhookHandlerOptions,
} from './webhook-handler-options.ts';
import {
  type WebhookRequest,
  isFetchRequest,
  readWebhookRequest,
  toUnsupported,
} from './webhook-request.ts';
import { type Verdict, runOnce } from './webhook-run.ts';
import { toEvent } from './webhooks.ts';

/** The function that {@link createWebhookHandler} returns. */
export interface WebhookHandler {
  /**
   * Handles a Fetch-style request. Rejects only if it gets anything else, such as the request of Express or
   * Koa.
   */
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
 * - `204`: handled, handled before, a test event, or a kind that this version does not know
 * - `400`: signed, but not JSON
 * - `401`: not signed with the secret
 * - `405`: not a POST
 * - `408`: the body did not arrive within ten seconds
 * - `413`: too long
 * - `500`: the event was not handled:
 *   - `onEvent`, `onTest`, `secret` or the claim of the event failed
 *   - the signed event has an unexpected form
 *   - this server has a bug, for example if it parsed the body first
 * - `503` with `retry-after`: another copy is being handled at this moment
 *
 * The service retries a `verification.*` event for 24 hours. It counts each of the 4xx statuses above except
 * 408 as a rejection, and an hour of rejections pauses the endpoint.
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
    // Checks for the field and not its value, because undefined can be thrown as well.
    if ('error' in verdict) await report(settings, verdict);
    return { status: verdict.status, headers: HEADERS[verdict.status] ?? {} };
  };

  // `response` is what Node, Express and similar frameworks pass if the function itself is their route.
  const respond = async (request: Request, response?: unknown): Promise<Response> => {
    if (!isFetchRequest(request)) {
      const error = toUnsupported(request);
      await report(settings, { status: 500, error });
      // Express 4 and node:http do not respond if the returned promise rejects.
      const isEnded = tryEndNodeResponse(response, 500);
      if (!isEnded) throw error;
      return new Response(null, { status: 500 });
    }
    const answer = await handle({
      method: request.method,
      headers: request.headers,
      body: request.bodyUsed ? undefined : (request.body ?? readAtOnce(request)),
    });
    return new Response(null, answer);
  };
  return Object.assign(respond, { handle });
}

async function report(
  { onProblem }: ResolvedWebhookHandlerOptions,
  { status, error, event }: Verdict,
): Promise<void> {
  try {
    await onProblem({ status, error, event: event ?? null });
  } catch {
    // A failing log must not change whether the service retries the event.
  }
}

/** Ends a response of Node. Returns false if the value is not one. */
function tryEndNodeResponse(value: unknown, status: number): boolean {
  const response = Object(value) as { statusCode?: unknown; end?: unknown };
  if (typeof response.statusCode !== 'number' || typeof response.end !== 'function') return false;
  response.statusCode = status;
  response.end();
  return true;
}

/** Reads a request without a stream: one without a body, or any in a service worker of Firefox. */
async function* readAtOnce(request: Request): AsyncGenerator<Uint8Array> {
  yield new Uint8Array(await request.arrayBuffer());
}

/**
 * Reads, parses and handles the request. The status depends on the failing stage, so that an exception in
 * `onEvent` is not reported as a wrong signature.
 */
async function processRequest(
  settings: ResolvedWebhookHandlerOptions,
  request: WebhookRequest,
): Promise<Verdict> {
  let body: JsonObject;
  try {
    body = await readWebhookRequest(settings, request);
  } catch (error) {
    const refusal = isOfAgeError(error) ? REFUSALS[error.code] : undefined;
    return { status: refusal ?? 500, error };
  }
  let event: WebhookEvent;
  try {
    event = toEvent(body);
  } catch (error) {
    // A retry would not help for an unknown kind of event, or for a test event, whose form is not
    // specified. Any other signed body is an event that would be lost without a retry.
    const isUnknownKind = isOfAgeError(error) && error.code === 'event_unknown';
    const isTest = readField(body, 'test') === true;
    const isAcknowledged = isUnknownKind || isTest;
    return { status: isAcknowledged ? 204 : 500, error };
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
const REFUSALS: Readonly<Partial<Record<OfAgeErrorCode, number>>> = {
  method_not_allowed: 405,
  body_too_large: 413,
  body_timeout: 408,
  signature_missing: 401,
  signature_malformed: 401,
  signature_mismatch: 401,
  payload_invalid: 400,
};

// The rest of the body may be unread. On a connection that is kept, Node and Deno would not see the next request.
const CLOSE = { connection: 'close' };

const HEADERS: Readonly<Record<number, Readonly<Record<string, string>>>> = {
  401: CLOSE,
  405: { ...CLOSE, allow: 'POST' },
  408: CLOSE,
  413: CLOSE,
  // The delay is only one second, because the service holds back the endpoint's other events until it has
  // passed.
  503: { 'retry-after': '1' },
};
