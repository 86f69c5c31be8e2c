import { OfAgeError, type OfAgeErrorCode, isOfAgeError } from './errors.ts';
import { assertInteger } from './integer-option.ts';
import { kindOf } from './json-object.ts';
import { createMemoryWebhookStore } from './memory-webhook-store.ts';
import type { WebhookEvent } from './webhook-events.ts';
import type { WebhookStore } from './webhook-store.ts';

/** What `createWebhookHandler` takes. */
export interface WebhookHandlerOptions {
  /**
   * The endpoint's signing secret; several while it is being replaced, and then any of them will do.
   * A function is asked at each request, for secrets that live in a vault or change while you run.
   */
  secret:
    | string
    | readonly string[]
    | (() => string | readonly string[] | Promise<string | readonly string[]>);
  /**
   * Handles one event; runs once for all copies of it, unless it throws: then the service is told to
   * repeat, and the next copy runs it again.
   *
   * Answer within 15 seconds, or the service counts the attempt as failed: put longer work in a queue
   * of your own. Events come in no promised order.
   */
  onEvent: (event: WebhookEvent, context: WebhookContext) => unknown;
  /**
   * Sees the tests that somebody sends from the dashboard. They change nothing, never reach `onEvent`
   * and are not deduplicated.
   * @default nothing; the test is acknowledged
   */
  onTest?: ((event: WebhookEvent) => unknown) | undefined;
  /**
   * Sees the copies of an event that was handled before, for counting them.
   * @default nothing; the copy is acknowledged
   */
  onDuplicate?: ((event: WebhookEvent) => unknown) | undefined;
  /**
   * Sees everything that went wrong, whatever was answered; the caller is never told more than the
   * status. What this throws is ignored.
   * @default writes a line to `console.error`
   */
  onProblem?: ((problem: WebhookProblem) => unknown) | undefined;
  /**
   * Remembers which events were handled. Each endpoint needs one of its own: see {@link WebhookStore}.
   * @default a `createMemoryWebhookStore()` of this handler's own: one process, eight days, 100,000 events
   */
  store?: WebhookStore | undefined;
  /**
   * How long one run of `onEvent` may take before the event is free for the next copy, as it is after
   * a crash. Completions are repeated for long enough; a `session.timeout` is given up after some
   * 15 seconds and a `session.started` after three, so that only a shorter lease or redelivery brings
   * one whose handling crashed. Milliseconds, an integer from 1_000 to 86_400_000.
   * @default 60_000
   */
  leaseMs?: number | undefined;
  /**
   * The longest body that is read. Bytes, an integer from 262_144 to 67_108_864. The lower bound is
   * above what the service sends, which is three times the 65_536 bytes that a session is created with,
   * and some: it takes a 413 for a rejection, and an hour of them pauses the endpoint.
   * @default 1_048_576
   */
  maxBodyBytes?: number | undefined;
}

/** What `onEvent` gets besides the event. */
export interface WebhookContext {
  /** The same for all copies of the event: use it as a unique key where you write down what you did. */
  readonly key: string;
  /** Aborts when `leaseMs` is over: another copy may be handled from then on, so stop. */
  readonly signal: AbortSignal;
}

/** One thing that went wrong, for your log. */
export interface WebhookProblem {
  /** The HTTP status that was answered. */
  readonly status: number;
  /**
   * An `OfAgeError` whose code says why a request was not accepted; or what `onEvent`, `onTest`,
   * `onDuplicate`, `secret` or the store threw.
   */
  readonly error: unknown;
  /** The event, verified, where it got that far; else `null`. */
  readonly event: WebhookEvent | null;
}

/** Options checked, with the defaults filled in. */
export type ResolvedWebhookHandlerOptions = {
  readonly [Name in keyof WebhookHandlerOptions]-?: NonNullable<WebhookHandlerOptions[Name]>;
};

export function resolveWebhookHandlerOptions(options: unknown): ResolvedWebhookHandlerOptions {
  if (typeof options !== 'object' || options === null) {
    refuse('invalid_option', `expected an object with secret and onEvent, got ${kindOf(options)}`);
  }
  const known = options as WebhookHandlerOptions; // every field is looked at below
  assertSecret(known.secret);
  const unknown = Object.keys(options).find((name) => !OPTION_NAMES.includes(name));
  if (unknown !== undefined) {
    // The name is not shown: a secret in the wrong place would stand in a log.
    refuse('invalid_option', `an option is unknown; known are ${OPTION_NAMES.join(', ')}`);
  }
  const { secret, store = createMemoryWebhookStore() } = known;
  for (const method of ['claim', 'complete', 'release'] as const) {
    if (typeof store?.[method] !== 'function') {
      refuse('invalid_option', `store must have the methods claim, complete and release`);
    }
  }
  return {
    secret: Array.isArray(secret) ? [...(secret as readonly string[])] : secret,
    onEvent: toFunction('onEvent', known.onEvent),
    onTest: toFunction('onTest', known.onTest ?? ignore),
    onDuplicate: toFunction('onDuplicate', known.onDuplicate ?? ignore),
    onProblem: toFunction('onProblem', known.onProblem ?? print),
    store,
    leaseMs: assertInteger(known.leaseMs ?? 60_000, `${ACTION}: leaseMs`, 1000, 86_400_000),
    maxBodyBytes: assertInteger(
      known.maxBodyBytes ?? 1_048_576,
      `${ACTION}: maxBodyBytes`,
      262_144,
      67_108_864,
    ),
  };
}

function assertSecret(secret: unknown): void {
  if (typeof secret === 'function') return;
  const secrets: readonly unknown[] = Array.isArray(secret) ? secret : [secret];
  if (secrets.length === 0 || secrets.some((text) => typeof text !== 'string' || text === '')) {
    refuse(
      'webhook_secret_required',
      'secret must be a non-empty string, an array of them or a function that gives them; is the environment variable set?',
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
  // A failure that nobody looks at must be seen somewhere: the caller learns only the status.
  // oxlint-disable-next-line no-console
  console.error(`OfAge webhook answered ${status}:`, isOfAgeError(error) ? String(error) : error);
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
