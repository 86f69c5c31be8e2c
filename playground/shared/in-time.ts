/** Thrown when a request times out. Its message can be shown to the user. */
export class NoAnswerError extends Error {
  override readonly name = 'NoAnswerError';

  constructor(who: string, timeoutMs: number, options?: ErrorOptions) {
    super(`${who} did not answer within ${timeoutMs / 1_000} seconds. Try again.`, options);
  }
}

/** The timeout of a read. */
export const READ_MS = 10_000;
/** The timeout of a change, longer than a webhook attempt (15 s) and the default delay of a slow fault (20 s). */
export const CHANGE_MS = 30_000;

/**
 * Runs a request with a timeout, so that no page waits forever.
 * @param who The receiver of the request, as the subject of the error message, for example `The service`.
 * @throws NoAnswerError
 */
export async function inTime<Value>(
  who: string,
  timeoutMs: number,
  request: (signal: AbortSignal) => Promise<Value>,
): Promise<Value> {
  const signal = AbortSignal.timeout(timeoutMs);
  const isOver = new Promise<never>((_, reject) => {
    // A service that runs in this page ignores the signal.
    signal.addEventListener('abort', () => reject(new NoAnswerError(who, timeoutMs)));
  });
  try {
    return await Promise.race([request(signal), isOver]);
  } catch (error) {
    if (signal.aborted && !(error instanceof NoAnswerError)) {
      throw new NoAnswerError(who, timeoutMs, { cause: error });
    }
    throw error;
  }
}
