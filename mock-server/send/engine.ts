import { type AttemptOutcome, type Claim, finishDelivery, pumpLane } from '../rules/deliveries.ts';
import { claimTest, finishTest } from '../rules/test-events.ts';
import { ATTEMPT_TIMEOUT_MS, RETRY_AFTER_MAX_MS } from '../rules/webhook-limits.ts';
import { type RealClock, sleep, virtualNow } from '../store/clock.ts';
import type { Db, Moment } from '../store/db.ts';
import type { JobHandler } from '../store/jobs.ts';
import type { Random } from '../store/random.ts';
import type { WebhookFaultRow } from '../store/rows.ts';
import type { Store, Transaction } from '../store/store.ts';
import type { Sender, WebhookFailure, WebhookResult } from './sender.ts';
import { type BodySigner, signAndHash, SIGNATURE_HEADER } from './signature.ts';

export interface DeliveryOptions {
  readonly store: () => Store;
  readonly clock: RealClock;
  readonly random: Random;
  readonly sender: Sender;
  /** @default signAndHash, which uses Web Crypto */
  readonly sign?: BodySigner;
}

/**
 * Creates the handler of the delivery jobs. Each due attempt has three stages: claim the delivery (a
 * transaction writes the attempt and a lease), send the request, record the outcome. If the process crashes
 * after the claim, the lease expires and the event is sent again, unless it is an inline event. The rules in
 * rules/lanes.ts decide when an attempt starts.
 */
export function createDeliveryJobs(options: DeliveryOptions): Record<'deliver', JobHandler> {
  const { random } = options;
  return {
    deliver(db, { ref: laneId }, nowMs) {
      const claims = pumpLane(db, laneId, { nowMs, random });
      if (claims.length === 0) return undefined;
      const attempts = claims.map((claim) => ({ claim, cut: new AbortController() }));
      const timeout = {
        group: laneId,
        expire: () => attempts.forEach(({ cut }) => cut.abort()),
      };
      const send = async (): Promise<void> => {
        await Promise.all(attempts.map(({ claim, cut }) => attempt(claim, options, cut.signal)));
      };
      return Object.assign(send, { timeout });
    },
  };
}

async function attempt(claim: Claim, options: DeliveryOptions, signal: AbortSignal): Promise<void> {
  const { store, clock, sign = signAndHash } = options;
  const sender = withFault(options.sender, claim.fault, clock);
  const outcome = await sendBody(claim, { clock, sender, sign, signal });
  await store().transact((db) => finishDelivery(db, claim, outcome, virtualNow(db, clock.now())));
}

export interface TestResult {
  readonly outcome: AttemptOutcome;
  /** True if the test ended a pause. */
  readonly isResumed: boolean;
}

export interface WebhookTester {
  /**
   * @throws {ServiceError} not_found if the endpoint does not exist; conflict if it cannot be tested now
   */
  test(endpointId: string, options: { isResume: boolean }): Promise<TestResult>;
}

export interface WebhookTesterOptions {
  transact<T>(run: Transaction<T>): Promise<T>;
  momentIn(db: Db): Moment;
  readonly clock: RealClock;
  readonly sender: Sender;
  /** @default signAndHash, which uses Web Crypto */
  readonly sign?: BodySigner;
}

export function createWebhookTester(options: WebhookTesterOptions): WebhookTester {
  const { transact, momentIn, clock, sender, sign = signAndHash } = options;
  return {
    async test(endpointId, { isResume }) {
      const claim = await transact((db) => claimTest(db, endpointId, momentIn(db)));
      const outcome = await sendBody(claim, { clock, sender, sign });
      const isResumed = await transact((db) =>
        finishTest(db, claim, { outcome, isResume, nowMs: momentIn(db).nowMs }),
      );
      return { outcome, isResumed };
    },
  };
}

export interface SendParts {
  readonly clock: RealClock;
  readonly sender: Sender;
  readonly sign: BodySigner;
  /** Aborts when a clock move no longer waits for the attempt, which then times out. */
  readonly signal?: AbortSignal;
}

/** Sends the text of an event or a test once, and classifies the result. */
async function sendBody(
  { url, bodyText, secret }: { url: string; bodyText: string; secret: string | null },
  { clock, sender, sign, signal }: SendParts,
): Promise<AttemptOutcome> {
  const startedAtMs = clock.now();
  const body = new TextEncoder().encode(bodyText);
  const { signature, sha256 } = await sign(body, secret);
  const sending = sender.send({
    url,
    headers: {
      'content-type': 'application/json',
      'user-agent': 'OfAge-Webhooks/1',
      ...(signature !== null && { [SIGNATURE_HEADER]: signature }),
    },
    body,
    timeoutMs: ATTEMPT_TIMEOUT_MS,
    ...(signal && { signal }),
  });
  const result = signal ? await Promise.race([sending, timeOut(signal)]) : await sending;
  const endedAtMs = clock.now();
  return toAttemptOutcome(result, {
    durationMs: signal?.aborted ? ATTEMPT_TIMEOUT_MS : Math.max(0, endedAtMs - startedAtMs),
    bodySha256: sha256,
    signature,
    nowMs: endedAtMs,
  });
}

/** Resolves with a timeout when the signal aborts, because a custom sender may ignore the signal. */
function timeOut(signal: AbortSignal): Promise<WebhookResult> {
  return new Promise((resolve) => {
    const end = (): void => resolve({ kind: 'failure', error: 'timeout', address: null, hops: 0 });
    signal.addEventListener('abort', end, { once: true });
    if (signal.aborted) end();
  });
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
      await sleep(clock, Math.min(delayMs, request.timeoutMs));
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
  const { address, hops } = result;
  const shared = { durationMs, bodySha256, signature, address, hops };
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
