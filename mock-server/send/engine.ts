import {
  type AttemptOutcome,
  type Claim,
  finishDelivery,
  processLane,
  releaseDelivery,
} from '../rules/deliveries.ts';
import { claimTest, finishTest, releaseTest } from '../rules/test-events.ts';
import { ATTEMPT_TIMEOUT_MS, RETRY_AFTER_MAX_MS } from '../rules/webhook-limits.ts';
import { type RealClock, sleep, virtualNow } from '../store/clock.ts';
import { closedError } from '../store/closing.ts';
import type { Db, Moment } from '../store/db.ts';
import type { JobHandler } from '../store/jobs.ts';
import type { Random } from '../store/random.ts';
import type { WebhookFaultRow } from '../store/rows.ts';
import type { Store, Transaction } from '../store/store.ts';
import type { Sender, WebhookFailure, WebhookResult } from './sender.ts';
import { type BodySigner, signAndHash, SIGNATURE_HEADER } from './signature.ts';

export interface DeliveryOptions extends SendOptions {
  readonly store: () => Store;
  readonly random: Random;
}

/**
 * Creates the handler of the delivery jobs. Each due attempt has three stages: claim the delivery (a
 * transaction writes the attempt and a lease), send the request, record the outcome. If the service closes
 * during the request, the lease is released. If the process crashes after the claim, the lease expires and
 * the event is sent again, unless it is an inline event. The rules in rules/lanes.ts decide when an attempt
 * starts.
 */
export function createDeliveryJobs(options: DeliveryOptions): Record<'deliver', JobHandler> {
  const { random } = options;
  return {
    deliver(db, { ref: laneId }, nowMs) {
      const claims = processLane(db, laneId, { nowMs, random });
      if (claims.length === 0) return undefined;
      const expiry = new AbortController();
      const timeout = { group: laneId, expire: () => expiry.abort() };
      const send = async (): Promise<void> => {
        await Promise.all(claims.map((claim) => attempt(claim, options, expiry.signal)));
      };
      return Object.assign(send, { timeout });
    },
  };
}

async function attempt(claim: Claim, options: DeliveryOptions, expiry: AbortSignal): Promise<void> {
  const { store, clock } = options;
  const sender = withFault(options.sender, claim.fault, clock);
  const sent = await sendBody(claim, { ...options, sender }, expiry);
  await store().transact((db) => {
    const nowMs = virtualNow(db, clock.now());
    if (sent.kind === 'released') releaseDelivery(db, claim, nowMs);
    else finishDelivery(db, claim, sent.outcome, nowMs);
  });
}

export interface TestResult {
  readonly outcome: AttemptOutcome;
  /** True if the test ended a pause. */
  readonly isResumed: boolean;
}

export interface WebhookTester {
  /**
   * @throws {ServiceError} not_found if the endpoint does not exist; conflict if it cannot be tested now
   * @throws {Error} if the service closes before the endpoint has responded
   */
  test(endpointId: string, options: { isResume: boolean }): Promise<TestResult>;
}

export interface WebhookTesterOptions extends SendOptions {
  transact<T>(run: Transaction<T>): Promise<T>;
  momentIn(db: Db): Moment;
}

export function createWebhookTester(options: WebhookTesterOptions): WebhookTester {
  const { transact, momentIn } = options;
  return {
    async test(endpointId, { isResume }) {
      const claim = await transact((db) => claimTest(db, endpointId, momentIn(db)));
      const sent = await sendBody(claim, options);
      if (sent.kind === 'released') {
        await transact((db) => releaseTest(db, claim, momentIn(db).nowMs));
        throw closedError();
      }
      const { outcome } = sent;
      const isResumed = await transact((db) =>
        finishTest(db, claim, { outcome, isResume, nowMs: momentIn(db).nowMs }),
      );
      return { outcome, isResumed };
    },
  };
}

interface SendOptions {
  readonly clock: RealClock;
  readonly sender: Sender;
  /** @default signAndHash, which uses Web Crypto */
  readonly sign?: BodySigner;
  /**
   * Aborts when the service closes. Requests in flight then end without an outcome.
   * @default a signal that never aborts
   */
  readonly closing?: AbortSignal;
}

/** The end of a request. `released` means that it was aborted because the service closes. */
type Sent =
  { readonly kind: 'ended'; readonly outcome: AttemptOutcome } | { readonly kind: 'released' };

/**
 * Sends the text of an event or a test once, and classifies the result.
 * @param expiry Aborts when a clock move no longer waits for the attempt, which then times out.
 */
async function sendBody(
  { url, bodyText, secret }: { url: string; bodyText: string; secret: string | null },
  { clock, sender, sign = signAndHash, closing }: SendOptions,
  expiry?: AbortSignal,
): Promise<Sent> {
  const startedAtMs = clock.now();
  const body = new TextEncoder().encode(bodyText);
  const { signature, sha256 } = await sign(body, secret);
  const cut = createCut({ closing, expiry });
  const send = (): Promise<WebhookResult> =>
    sender.send({
      url,
      headers: {
        'content-type': 'application/json',
        'user-agent': 'OfAge-Webhooks/1',
        ...(signature !== null && { [SIGNATURE_HEADER]: signature }),
      },
      body,
      timeoutMs: ATTEMPT_TIMEOUT_MS,
      signal: cut.signal,
    });
  // A custom sender may ignore the signal.
  const ended = cut.signal.aborted ? cut.reason : Promise.race([cut.reason, send()]);
  const result = await ended.finally(cut.dispose);
  if (result === 'closing') return { kind: 'released' };
  const endedAtMs = clock.now();
  const outcome = toAttemptOutcome(result === 'expiry' ? toFailure('timeout') : result, {
    durationMs: result === 'expiry' ? ATTEMPT_TIMEOUT_MS : Math.max(0, endedAtMs - startedAtMs),
    bodySha256: sha256,
    signature,
    nowMs: endedAtMs,
  });
  return { kind: 'ended', outcome };
}

/** The reason why a request ends before its time limit. */
type CutReason = 'closing' | 'expiry';

/** The early end of one request. */
interface Cut {
  readonly signal: AbortSignal;
  /** Resolves when the signal aborts. */
  readonly reason: Promise<CutReason>;
  /** Removes the listeners, because the service outlives the request. */
  dispose(): void;
}

function createCut(signals: Readonly<Record<CutReason, AbortSignal | undefined>>): Cut {
  const controller = new AbortController();
  const disposers: (() => void)[] = [];
  const reason = new Promise<CutReason>((resolve) => {
    for (const why of ['closing', 'expiry'] as const) {
      const signal = signals[why];
      const end = (): void => {
        resolve(why);
        controller.abort();
      };
      signal?.addEventListener('abort', end);
      disposers.push(() => signal?.removeEventListener('abort', end));
      if (signal?.aborted) end();
    }
  });
  return {
    signal: controller.signal,
    reason,
    dispose: () => disposers.forEach((dispose) => dispose()),
  };
}

/** The part of a fault that matters for an attempt. */
type DeliveryFault = Pick<WebhookFaultRow, 'fault' | 'delayMs'>;

/**
 * Wraps a sender so that it simulates a faulty receiver. Only the fault `duplicate`, and `slow` with a
 * delay below the time limit, pass the request on. The fault `duplicate` drops the response of an accepted
 * request. The service then sends a second copy of the event, because it cannot distinguish a lost response
 * from a lost request.
 */
function withFault(sender: Sender, fault: DeliveryFault | null, clock: RealClock): Sender {
  if (!fault) return sender;
  return { send: (request) => play(fault, request, sender, clock) };
}

async function play(
  { fault, delayMs }: DeliveryFault,
  request: Parameters<Sender['send']>[0],
  sender: Sender,
  clock: RealClock,
): Promise<WebhookResult> {
  switch (fault) {
    case 'slow': {
      const timeoutMs = request.timeoutMs - delayMs;
      // Waits in real time, because the time limit of an attempt is in real time too.
      await sleep(clock, Math.min(delayMs, request.timeoutMs), request.signal);
      const isOver = timeoutMs <= 0 || request.signal?.aborted === true;
      return isOver ? toFailure('timeout') : sender.send({ ...request, timeoutMs });
    }
    case 'duplicate': {
      const result = await sender.send(request);
      const { address, hops } = result;
      const isAccepted = result.kind === 'response' && result.status >= 200 && result.status < 300;
      return isAccepted ? { kind: 'failure', error: 'reset', address, hops } : result;
    }
    case 'hang':
      return toFailure('timeout');
    case 'reset':
      return toFailure('reset');
    case '401':
    case '410':
    case '429':
    case '500':
    case '503':
      return { kind: 'response', status: Number(fault), retryAfter: null, ...NOWHERE };
  }
}

const NOWHERE = { address: null, hops: 0 };

function toFailure(error: WebhookFailure): WebhookResult {
  return { kind: 'failure', error, ...NOWHERE };
}

/** The 4xx statuses that do not count as a rejection, because the problem may be temporary. */
const TEMPORARY = new Set([408, 425, 429]);

export function toAttemptOutcome(
  result: WebhookResult,
  facts: { durationMs: number; bodySha256: string; signature: string | null; nowMs: number },
): AttemptOutcome {
  const { durationMs, bodySha256, signature, nowMs } = facts;
  const { hops } = result;
  const shared = { durationMs, bodySha256, signature, hops };
  switch (result.kind) {
    case 'response': {
      const { status } = result;
      const isAsked = status === 429 || status === 503;
      return {
        ...shared,
        class: classify(status),
        httpStatus: status,
        error: null,
        retryAfterMs: isAsked ? parseRetryAfter(result.retryAfter, nowMs) : null,
      };
    }
    case 'failure':
    case 'refused':
      return {
        ...shared,
        class: result.kind === 'refused' ? 'reject' : 'fail',
        httpStatus: null,
        error: result.error,
        retryAfterMs: null,
      };
  }
}

function classify(status: number): AttemptOutcome['class'] {
  if (status >= 200 && status < 300) return 'ok';
  return status >= 400 && status < 500 && !TEMPORARY.has(status) ? 'reject' : 'fail';
}

/**
 * Parses a `Retry-After` header: whole seconds or an HTTP date, in any of the three forms of RFC 9110,
 * 5.6.7. Returns milliseconds, at most an hour. The result is 0 for a date in the past, and null if the
 * header is missing or invalid.
 */
export function parseRetryAfter(value: string | null, nowMs: number): number | null {
  const text = value?.trim() ?? '';
  if (/^\d+$/.test(text)) return Math.min(Number(text) * 1000, RETRY_AFTER_MAX_MS);
  const atMs = parseHttpDate(text);
  if (Number.isNaN(atMs)) return null;
  return Math.min(Math.max(0, atMs - nowMs), RETRY_AFTER_MAX_MS);
}

/**
 * Parses an HTTP date. The form is checked first, because `Date.parse` accepts almost anything. All three
 * forms begin with the name of a day.
 */
function parseHttpDate(text: string): number {
  if (/^[A-Z][a-z]{2,8}, /.test(text)) return Date.parse(text);
  // The form of asctime() is in UTC, but does not say so.
  if (/^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4}$/.test(text))
    return Date.parse(`${text} GMT`);
  return Number.NaN;
}
