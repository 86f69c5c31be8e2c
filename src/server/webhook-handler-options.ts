import { OfAgeError, type OfAgeErrorCode, isOfAgeError } from './errors.ts';
import { assertInteger, assertOptionNames, holdsFields } from './option-checks.ts';
import { kindOf } from './json-object.ts';
import { createMemoryWebhookStore } from './memory-webhook-store.ts';
import type { WebhookEvent } from './webhook-events.ts';
import type { WebhookStore } from './webhook-store.ts';

/** Options of `createWebhookHandler`. An unknown option is refused. */
export interface WebhookHandlerOptions {
  /**
   * The endpoint's signing secret. During a rotation it may be an array, and any of its secrets is
   * accepted. A function is called for each request, for secrets that are stored in a vault or change at
   * run time.
   */
  secret:
    | string
    | readonly string[]
    | (() => string | readonly string[] | Promise<string | readonly string[]>);
  /**
   * Handles one event. It runs once for all copies of the event. If it throws, the service is asked to
   * retry, and the next copy runs it again.
   *
   * It must finish within 15 seconds, otherwise the service counts the attempt as failed, so put longer
   * work in your own queue. The order of events is not guaranteed.
   */
  onEvent: (event: WebhookEvent, context: WebhookContext) => unknown;
  /**
   * Called with test events sent from the dashboard. They never reach `onEvent` and are not deduplicated.
   * @default nothing; the test event is acknowledged
   */
  onTest?: ((event: WebhookEvent) => unknown) | undefined;
  /**
   * Called with each copy of an event that has already been handled, for metrics.
   * @default nothing; the copy is acknowledged
   */
  onDuplicate?: ((event: WebhookEvent) => unknown) | undefined;
  /**
   * Called with every failure, regardless of the response's status. The sender of the request sees only the
   * status. An exception in this function is ignored.
   * @default writes a line to `console.error`
   */
  onProblem?: ((problem: WebhookProblem) => unknown) | undefined;
  /**
   * Remembers the handled events. Each endpoint needs a separate store: see {@link WebhookStore}.
   * @default a new `createMemoryWebhookStore()`: one process, eight days, 100,000 events
   */
  store?: WebhookStore | undefined;
  /**
   * Time limit of one run of `onEvent`. After it, the next copy of the event is handled, as after a crash.
   * The service retries a `verification.*` event for 24 hours. By default it sends a `session.timeout` at
   * most three times, usually within 25 seconds, and a `session.started` at most three times, usually
   * within three seconds. If the handler crashes during one of these, you get it again only with a shorter
   * lease or by redelivery. Milliseconds, an integer from 1_000 to 86_400_000.
   * @default 60_000
   */
  leaseMs?: number | undefined;
  /**
   * The largest body that is accepted. Bytes, an integer from 262_144 to 67_108_864. An event is at most a
   * little longer than the 65_536 bytes that a create request may have. The lower bound is above that,
   * because the service counts a 413 as a rejection, and an hour of rejections pauses the endpoint.
   * @default 1_048_576
   */
  maxBodyBytes?: number | undefined;
}

/** Second argument of `onEvent`. */
export interface WebhookContext {
  /** The same for all copies of the event. Use it as a unique key in your database. */
  readonly key: string;
  /** Aborts after `leaseMs`. Stop working then, because another copy may be handled from that moment. */
  readonly signal: AbortSignal;
}

/** A failure, for your log. */
export interface WebhookProblem {
  /** The HTTP status of the response. */
  readonly status: number;
  /**
   * An `OfAgeError` whose code is the reason for rejecting the request, or the exception of `onEvent`,
   * `onTest`, `onDuplicate`, `secret` or the store.
   */
  readonly error: unknown;
  /** The event if its signature was verified and it could be parsed, otherwise `null`. */
  readonly event: WebhookEvent | null;
}

/** The checked options with the defaults filled in. */
export type ResolvedWebhookHandlerOptions = {
  readonly [Name in keyof WebhookHandlerOptions]-?: NonNullable<WebhookHandlerOptions[Name]>;
};

export function resolveWebhookHandlerOptions(options: unknown): ResolvedWebhookHandlerOptions {
  if (!holdsFields(options)) {
    refuse('invalid_option', `expected an object with secret and onEvent, got ${kindOf(options)}`);
  }
  const known = options as WebhookHandlerOptions; // every field is checked below
  assertSecret(known.secret);
  // The message omits the name, because a misplaced secret would end up in a log.
  assertOptionNames(options, { action: ACTION, names: OPTION_NAMES, quote: () => '' });
  const {
    secret,
    onTest = ignore,
    onDuplicate = ignore,
    onProblem = print,
    store = createMemoryWebhookStore(),
    leaseMs = 60_000,
    maxBodyBytes = 1_048_576,
  } = known;
  for (const method of ['claim', 'complete', 'release'] as const) {
    if (typeof store?.[method] !== 'function') {
      refuse('invalid_option', `store must have the methods claim, complete and release`);
    }
  }
  return {
    secret: Array.isArray(secret) ? [...(secret as readonly string[])] : secret,
    onEvent: toFunction('onEvent', known.onEvent),
    onTest: toFunction('onTest', onTest),
    onDuplicate: toFunction('onDuplicate', onDuplicate),
    onProblem: toFunction('onProblem', onProblem),
    store,
    leaseMs: assertInteger(leaseMs, `${ACTION}: leaseMs`, 1000, 86_400_000),
    maxBodyBytes: assertInteger(maxBodyBytes, `${ACTION}: maxBodyBytes`, 262_144, 67_108_864),
  };
}

function assertSecret(secret: unknown): void {
  if (typeof secret === 'function') return;
  const secrets: readonly unknown[] = Array.isArray(secret) ? secret : [secret];
  if (secrets.length === 0 || secrets.some((text) => typeof text !== 'string' || text === '')) {
    refuse(
      'webhook_secret_required',
      `secret must be a non-empty string, an array of them or a function that returns them, got ${kindOf(secret)}; is the environment variable set?`,
    );
  }
}

function toFunction<T>(name: string, value: T): T {
  if (typeof value === 'function') return value;
  return refuse('invalid_option', `${name} must be a function, got ${kindOf(value)}`);
}

function refuse(code: OfAgeErrorCode, reason: string): never {
  throw new OfAgeError(code, `${ACTION}: ${reason}`);
}

function ignore(): void {}

function print({ status, error }: WebhookProblem): void {
  // Failures must be visible by default, because the caller learns only the status.
  // oxlint-disable-next-line no-console
  console.error(
    `OfAge webhook responded with ${status}:`,
    isOfAgeError(error) ? String(error) : error,
  );
}

const ACTION = 'Cannot create the webhook handler';

const OPTION_NAMES: readonly string[] = [
  'secret',
  'onEvent',
  'onTest',
  'onDuplicate',
  'onProblem',
  'store',
  'leaseMs',
  'maxBodyBytes',
];
