/** A request was given up because no answer came. The message can be shown as it is. */
export class NoAnswerError extends Error {
  override readonly name = 'NoAnswerError';

  constructor(who: string, timeoutMs: number, options?: ErrorOptions) {
    super(`${who} did not answer within ${timeoutMs / 1_000} seconds. Try again.`, options);
  }
}

/** How long a page waits for something that is only read. */
export const READ_MS = 10_000;
/** How long a page waits for a change: a webhook that it sends may take 15 seconds, a slow answer 20. */
export const CHANGE_MS = 30_000;

/**
 * Runs a request that ends when its time is over, so that a page never waits without a word.
 * @param who Answers the request, for example `The service`.
 * @throws NoAnswerError
 */
export async function inTime<Value>(
  who: string,
  timeoutMs: number,
  request: (signal: AbortSignal) => Promise<Value>,
): Promise<Value> {
  const signal = AbortSignal.timeout(timeoutMs);
  const isOver = new Promise<never>((_, reject) => {
    // A service in the page itself does not look at the signal.
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
