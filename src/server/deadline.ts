import { OfAgeError, reasonFor } from './errors.ts';

/** A call to the service, as error messages describe it. */
export interface DescribedCall {
  /** The start of the message. */
  readonly action: string;
  /** The address, with a hint about what to check if the service cannot be reached there. */
  readonly address: string;
}

export interface CallLimits {
  /** Milliseconds, an integer from 1 to 2_147_483_647. Without it, only the caller's abort ends the call. */
  readonly timeoutMs?: number;
  readonly signal: AbortSignal | undefined;
}

/**
 * Runs a call until it settles, times out or is aborted by the caller, whichever comes first. `run`
 * receives a signal to pass to `fetch`. After a timeout or an abort it is not awaited, so that a `fetch`
 * that ignores its signal cannot block the caller.
 */
export function withDeadline<T>(
  limits: CallLimits,
  { action, address }: DescribedCall,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const { timeoutMs, signal } = limits;
  return new Promise<T>((resolve, reject) => {
    if (signal?.aborted === true) {
      reject(toAborted(action, signal));
      return;
    }
    const controller = new AbortController();
    const onAbort = (): void => stop(toAborted(action, signal));
    const onTimeout = (): void =>
      stop(
        new OfAgeError(
          'request_timeout',
          `${action}: ${reasonFor('request_timeout')} (${timeoutMs} ms) at ${address}`,
        ),
      );
    const timer = timeoutMs === undefined ? undefined : setTimeout(onTimeout, timeoutMs);
    signal?.addEventListener('abort', onAbort, { once: true });

    function dispose(): void {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    }
    function stop(error: OfAgeError): void {
      dispose();
      reject(error);
      controller.abort(error);
    }

    void run(controller.signal).then(resolve, reject).finally(dispose);
  });
}

function toAborted(action: string, signal: AbortSignal | undefined): OfAgeError {
  return new OfAgeError('aborted', `${action}: ${reasonFor('aborted')}`, {
    cause: signal?.reason,
  });
}
