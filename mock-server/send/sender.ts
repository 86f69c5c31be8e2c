import { MAX_REDIRECTS } from '../rules/webhook-limits.ts';
import { checkDestination, type Destination, type DestinationRules } from './destination.ts';

/** One webhook request. Its headers do not include `content-length` and `host`, which the sender adds. */
export interface WebhookRequest {
  /** The stored address of the delivery or the endpoint. It is checked again before each connection. */
  url: string;
  headers: Readonly<Record<string, string>>;
  /** The exact bytes to send. The signature, if there is one, was made from them. */
  body: Uint8Array;
  /**
   * The limit for everything together: name resolution, connection, TLS, every redirect and the headers of
   * the final response. Milliseconds of wall clock.
   */
  timeoutMs: number;
  /** Aborts before the time limit when a clock move no longer waits for the attempt, or the service closes. */
  signal?: AbortSignal;
}

/**
 * The result of a request. `address` is the last address that was dialled, which is not stored, or null if
 * none was or the sender uses `fetch`. `hops` counts redirects.
 */
export type WebhookResult =
  | {
      kind: 'response';
      status: number;
      /** The `Retry-After` header as it was sent. */
      retryAfter: string | null;
      address: string | null;
      hops: number;
    }
  | { kind: 'failure'; error: WebhookFailure; address: string | null; hops: number }
  | { kind: 'refused'; error: WebhookRefusal; address: string | null; hops: number };

/** The reason why a request failed or got no response. Another attempt may succeed. */
export type WebhookFailure =
  'timeout' | 'dns' | 'connect' | 'tls' | 'reset' | 'too_many_redirects' | 'bad_redirect';

/**
 * The reason why a destination is not allowed. The request was not sent, or a redirect to it was not
 * followed.
 */
export type WebhookRefusal = 'destination_not_public' | 'not_https';

/** Sends webhooks, for example over sockets or with `fetch`. */
export interface Sender {
  /** Sends one request and resolves with its result, also after a failure. Never rejects. */
  send(request: WebhookRequest): Promise<WebhookResult>;
}

export type AllowedDestination = Extract<Destination, { kind: 'allowed' }>;

/** The status and headers of the response on one connection. */
export interface HopResponse {
  status: number;
  location: string | null;
  retryAfter: string | null;
}

/**
 * Sends one POST to a destination that was just checked. Reports the address as soon as it is known.
 * Rejects with a HopError, or with any error after the signal has aborted.
 */
export type SendHop = (
  destination: AllowedDestination,
  request: WebhookRequest,
  signal: AbortSignal,
  onAddress: (address: string) => void,
) => Promise<HopResponse>;

/** Calls back once after a delay in milliseconds. Returns a function that cancels. */
export type StartTimer = (ms: number, fire: () => void) => () => void;

/** The error of a failed hop. `error` is the reason. */
export class HopError extends Error {
  readonly error: WebhookFailure | 'destination_not_public';

  constructor(error: HopError['error'], options?: ErrorOptions) {
    super(`Cannot send the webhook: ${error}`, options);
    this.name = 'HopError';
    this.error = error;
  }
}

/**
 * Sends a webhook and follows redirects with the same method, bytes and headers. Each hop is checked again,
 * and all share one time limit. A redirect to this computer is allowed only from a hop on loopback, so a
 * receiver elsewhere cannot redirect to it.
 *
 * 301, 302, 307 and 308 are followed. 300, 303, 304 and 305 are the receiver's final response: 303 asks for
 * a GET, which cannot carry an event.
 */
export async function follow(
  request: WebhookRequest,
  rules: DestinationRules,
  sendHop: SendHop,
  startTimer: StartTimer = startRealTimer,
): Promise<WebhookResult> {
  const deadline = new AbortController();
  const stopTimer = startTimer(request.timeoutMs, () => deadline.abort());
  const { signal } = deadline;
  const cutShort = (): void => deadline.abort();
  request.signal?.addEventListener('abort', cutShort);
  if (request.signal?.aborted) cutShort();
  let address: string | null = null;
  let hops = 0;
  const end = (result: Outcome): WebhookResult => ({ ...result, address, hops });

  try {
    let target = request.url;
    let hopRules = rules;
    for (;;) {
      const destination = await beforeAbort(checkDestination(target, hopRules, signal), signal);
      if (destination.kind === 'refused') return end(toOutcome(destination.error, hops));
      const { url, network } = destination;
      const sent = sendHop(destination, request, signal, (dialled) => (address = dialled));
      const { status, location, retryAfter } = await beforeAbort(sent, signal);
      if (!isFollowed(status)) return end({ kind: 'response', status, retryAfter });
      if (location === null || location === '' || !URL.canParse(location, url))
        return end({ kind: 'failure', error: 'bad_redirect' });
      if (hops === MAX_REDIRECTS) return end({ kind: 'failure', error: 'too_many_redirects' });
      target = new URL(location, url).href;
      if (network === 'public') hopRules = { ...rules, allowLoopback: false };
      hops += 1;
    }
  } catch (cause) {
    if (signal.aborted) return end({ kind: 'failure', error: 'timeout' });
    const error = cause instanceof HopError ? cause.error : 'reset';
    return end(
      error === 'destination_not_public' ? { kind: 'refused', error } : { kind: 'failure', error },
    );
  } finally {
    stopTimer();
    request.signal?.removeEventListener('abort', cutShort);
  }
}

const startRealTimer: StartTimer = (ms, fire) => {
  const timer = setTimeout(fire, ms);
  return () => clearTimeout(timer);
};

type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;
type Outcome = DistributiveOmit<WebhookResult, 'address' | 'hops'>;

function isFollowed(status: number): boolean {
  return status === 301 || status === 302 || status === 307 || status === 308;
}

function toOutcome(
  error: Extract<Destination, { kind: 'refused' }>['error'],
  hops: number,
): Outcome {
  switch (error) {
    case 'unresolved':
      return { kind: 'failure', error: 'dns' };
    case 'invalid_url':
      // A redirect may be invalid. A stored address was valid when it was stored, so it counts as a
      // destination that is no longer allowed.
      return hops > 0
        ? { kind: 'failure', error: 'bad_redirect' }
        : { kind: 'refused', error: 'destination_not_public' };
    case 'own_address':
      return { kind: 'refused', error: 'destination_not_public' };
    case 'not_https':
    case 'destination_not_public':
      return { kind: 'refused', error };
  }
}

/**
 * Rejects when the signal aborts, so that a resolver or socket that never answers cannot block an attempt.
 */
async function beforeAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  let onAbort = (): void => {};
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(new Error('The webhook attempt timed out'));
    signal.addEventListener('abort', onAbort);
    if (signal.aborted) onAbort();
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

export interface FetchSenderOptions extends Pick<DestinationRules, 'allowLoopback' | 'ownPort'> {
  /** @default the global fetch, read at each call, so that patches such as MSW's apply */
  fetch?: typeof fetch;
}

/**
 * Creates a sender that uses `fetch`, for tests and pages in which requests are intercepted, for example by
 * MSW. It does not resolve names, so it does not protect against DNS rebinding. A server uses
 * createNodeSender.
 */
export function createFetchSender(options: FetchSenderOptions = {}): Sender {
  return {
    send: (request) =>
      follow(
        request,
        { allowLoopback: options.allowLoopback ?? false, ownPort: options.ownPort },
        async ({ url }, { body, headers }, signal) => {
          const send = options.fetch ?? fetch;
          const response = await send(url, {
            method: 'POST',
            headers,
            // The public type of the body has no type argument, because TypeScript before 5.7 does not know
            // it.
            body: body as Uint8Array<ArrayBuffer>,
            signal,
            redirect: 'manual',
          }).catch((cause: unknown) => {
            throw new HopError('connect', { cause });
          });
          return toHopResponse(response);
        },
      ),
  };
}

function toHopResponse(response: Response): HopResponse {
  // Cancels the body, because the outcome depends only on the status and the headers, and an endless body
  // would keep the connection open.
  void response.body?.cancel().catch(() => {});
  // A browser hides the target of a redirect, so it cannot be checked and is not followed.
  if (response.type === 'opaqueredirect') throw new HopError('bad_redirect');
  return {
    status: response.status,
    location: response.headers.get('location'),
    retryAfter: response.headers.get('retry-after'),
  };
}
