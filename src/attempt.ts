import type { OfAgeErrorCode } from './error-codes.ts';
import { OfAgeError } from './errors.ts';
import type { OfAgeOptions } from './options.ts';
import type { CancelReason, VerifyResult } from './outcome.ts';
import { tryTo } from './try-to.ts';
import { appendParams } from './urls.ts';

/** The end of an attempt: the remaining fields of its result, or an error. */
export type Ending = Partial<VerifyResult> | OfAgeError;

/**
 * One call to verify(), from the click to its end. The build shortens the names of members that begin with
 * an underscore, because they exist only inside the SDK.
 */
export interface Attempt {
  /** The promise that verify() returns. */
  _promise: Promise<VerifyResult>;
  /** The result that the promise resolves to, filled as it becomes known. */
  _result: Partial<VerifyResult>;
  _settled?: boolean;
  /**
   * Set in redirect mode once the page unloads. Later failures are ignored, because leaving the page aborts
   * the request.
   */
  _isLeaving?: boolean;
  /** Replaces the deadline. The attempt fails with `code` when the deadline passes. */
  _expect(ms: number, code: OfAgeErrorCode): void;
  /** Registers a clean-up function that runs at the end. After the end it has no effect. */
  _defer(undo: () => void): void;
  /** Registers a listener for as long as the attempt lasts. */
  _listen<E extends Event>(type: string, listener: (event: E) => void, target?: EventTarget): void;
  /** Ends the attempt. The first call counts; later calls are ignored. */
  _finish(ending: Ending): void;
  _cancel(reason: CancelReason): void;
  /**
   * Ends the attempt with `cause` if it is an OfAgeError, otherwise with a new error that has `code` and
   * `cause`.
   */
  _fail(code: OfAgeErrorCode, cause?: unknown): void;
}

/**
 * Creates an attempt. It settles once, after all clean-up functions have run.
 *
 * @param noteError - is called with an error before the page sees it
 */
export const createAttempt = (
  settings: OfAgeOptions,
  noteError?: (error: OfAgeError) => void,
): Attempt => {
  const { mode, onError } = settings;
  const undos: Array<() => void> = [];
  let deadline: ReturnType<typeof setTimeout> | undefined;
  let resolve: (result: VerifyResult) => void;
  let reject: (error: OfAgeError) => void;

  const attempt: Attempt = {
    _promise: new Promise((yes, no) => {
      resolve = yes;
      reject = no;
    }),
    _result: {},
    // Uses a timer instead of comparing times, because the computer's clock may be changed in the meantime.
    _expect: (ms, code) => {
      clearTimeout(deadline);
      deadline = setTimeout(() => attempt._fail(code), ms);
    },
    _defer: (undo) => undos.unshift(undo),
    _listen: (type, listener, target = window) => {
      target.addEventListener(type, listener as EventListener);
      attempt._defer(() => target.removeEventListener(type, listener as EventListener));
    },
    _finish: (ending) => {
      if (attempt._settled) return;
      attempt._settled = true;
      clearTimeout(deadline);
      // The clean-up functions run in reverse order, so that the window's watcher stops before the window
      // is closed. A cross-origin window may throw, and the remaining clean-up functions must still run.
      undos.forEach(tryTo);
      if (ending instanceof OfAgeError) {
        if (noteError) noteError(ending);
        return reject(ending);
      }
      // The cast is safe, because every ending without an error has a status and a completed one has its
      // session id.
      const result = Object.assign(attempt._result, ending) as VerifyResult;
      // In redirect mode, the page is unloaded before onComplete or onCancel could be useful.
      const nextUrl = mode === 'new-tab' ? callBack(settings, result) : undefined;
      resolve(result);
      // Code that awaits the promise itself runs first, up to its next await.
      if (nextUrl) void attempt._promise.then(() => location.assign(nextUrl));
    },
    _cancel: (reason) => attempt._finish({ status: 'cancelled', reason }),
    _fail: (code, cause) => {
      if (attempt._isLeaving) return;
      attempt._finish(
        cause instanceof OfAgeError
          ? cause
          : new OfAgeError(code, '', { sessionId: attempt._result.sessionId, cause }),
      );
    },
  };
  // Unlike the other callbacks, onError is called in both modes.
  if (onError) {
    // Handling the rejection also keeps the browser from reporting an unhandled rejection to a page that
    // uses callbacks. The SDK never calls catch(), which the Promise of an old polyfill lacks.
    attempt._promise.then(undefined, (error: OfAgeError) => {
      // A second click replaced this call with a later one, which reports its own errors.
      if (error.code !== 'superseded') onError(error);
    });
  }
  return attempt;
};

/**
 * Calls the callback for a result, and returns the URL that this page navigates to next:
 * - verified or failed: calls onComplete, and the page stays
 * - cancelled: calls onCancel, and the page goes to cancelUrl, unless onCancel returned false
 * - destroyed: calls nothing, and the page stays
 */
const callBack = (
  { cancelUrl, onComplete, onCancel }: OfAgeOptions,
  result: VerifyResult,
): string | undefined => {
  const { status, sessionId, timestamp = Date.now() } = result;
  if (result.status !== 'cancelled') {
    runCallback(() => onComplete && onComplete(result));
    return;
  }
  if (result.reason === 'destroyed') return;
  const answer = runCallback(() => onCancel && onCancel());
  if (answer === false || !cancelUrl || !sessionId) return;
  return appendParams(cancelUrl, { status, sessionId, timestamp });
};

/** Runs the merchant's callback. An exception is reported to the page and does not change the result. */
const runCallback = (run: () => unknown): unknown => {
  try {
    return run();
  } catch (error) {
    return setTimeout(() => {
      throw error;
    });
  }
};
