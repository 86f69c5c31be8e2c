import type { Destination, DestinationPolicy } from './destination.ts';
import { checkDestination } from './destination.ts';
import type { WebhookFailure, WebhookRequest, WebhookResult } from './sender.ts';
import { MAX_REDIRECTS } from '../rules/webhook-limits.ts';

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
  policy: DestinationPolicy,
  sendHop: SendHop,
  startTimer: StartTimer = startRealTimer,
): Promise<WebhookResult> {
  const deadline = new AbortController();
  const stopTimer = startTimer(request.timeoutMs, () => deadline.abort());
  const { signal } = deadline;
  const cutShort = (): void => deadline.abort();
  request.signal?.addEventListener('abort', cutShort);
  let address: string | null = null;
  let hops = 0;
  const end = (result: Outcome): WebhookResult => ({ ...result, address, hops });

  try {
    let target = request.url;
    let hopPolicy = policy;
    for (;;) {
      const destination = await beforeAbort(checkDestination(target, hopPolicy, signal), signal);
      if (destination.kind === 'refused') return end(toOutcome(destination.error, hops));
      const { url, network } = destination;
      const sent = sendHop(destination, request, signal, (dialled) => (address = dialled));
      const { status, location, retryAfter } = await beforeAbort(sent, signal);
      if (!isFollowed(status)) return end({ kind: 'response', status, retryAfter });
      if (location === null || location === '' || !URL.canParse(location, url))
        return end({ kind: 'failure', error: 'bad_redirect' });
      if (hops === MAX_REDIRECTS) return end({ kind: 'failure', error: 'too_many_redirects' });
      target = new URL(location, url).href;
      if (network === 'public') hopPolicy = { ...policy, allowLoopback: false };
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
