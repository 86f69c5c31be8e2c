import type { OfAgeErrorCode } from './error-codes.ts';
import { OfAgeError } from './errors.ts';
import type { OfAgeOptions } from './options.ts';
import type { CancelReason, VerifyResult } from './outcome.ts';
import { tryTo } from './try-to.ts';
import { appendParams } from './urls.ts';

/** The end of an attempt: the rest of its result, or an error. */
export type Ending = Partial<VerifyResult> | OfAgeError;

/** One call of verify(), from the click to its end. */
export interface Attempt {
  /** The promise that verify() returns. */
  _promise: Promise<VerifyResult>;
  /** The result that the promise resolves to, filled as it becomes known. */
  _result: Partial<VerifyResult>;
  _settled?: boolean;
  /** Set while the page goes away: a request that fails then fails because of that. */
  _isLeaving?: boolean;
  /** Replaces the deadline; the attempt fails with `code` when it passes. */
  _expect(ms: number, code: OfAgeErrorCode): void;
  /** Registers what must be undone at the end. Only a running attempt registers anything. */
  _defer(undo: () => void): void;
  /** Registers a listener for as long as the attempt lasts. */
  _listen<E extends Event>(type: string, listener: (event: E) => void, target?: EventTarget): void;
  /** Ends the attempt: the first call counts, every later one is ignored. */
  _finish(ending: Ending): void;
  _cancel(reason: CancelReason): void;
  /** Ends it with the cause when that is an OfAgeError, otherwise with the code and the cause. */
  _fail(code: OfAgeErrorCode, cause?: unknown): void;
}

/** Creates an attempt; it ends once, after everything was undone. */
export const createAttempt = (settings: OfAgeOptions): Attempt => {
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
    // A timer, because the computer's clock may be set in the meantime.
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
      // Last first: what watches the window goes before the window is closed. A window of another
      // origin may refuse; the rest must still be undone.
      undos.forEach(tryTo);
      if ('code' in ending) return reject(ending);
      // An ending has a status, and a completed one came with its session.
      const result = Object.assign(attempt._result, ending) as VerifyResult;
      const leaveUrl = mode === 'new-tab' && report(settings, result);
      resolve(result);
      // Later than the code that awaits the promise.
      if (leaveUrl) void attempt._promise.then(() => location.assign(leaveUrl));
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
  if (onError) {
    // This also keeps the browser from reporting an unhandled rejection to a page that uses callbacks.
    attempt._promise.catch((error: OfAgeError) => {
      // A later call took over after a second click, and reports its own errors.
      if (error.code !== 'superseded') onError(error);
    });
  }
  return attempt;
};

/** Calls the one callback that fits; returns where this page goes next, if anywhere. */
const report = (
  { cancelUrl, onComplete, onCancel }: OfAgeOptions,
  result: VerifyResult,
): string | undefined | false => {
  const { status, sessionId, timestamp = Date.now() } = result;
  try {
    if (result.status !== 'cancelled') {
      if (onComplete) onComplete(result);
    } else if (result.reason === 'destroyed' || (onCancel && onCancel() === false)) return;
  } catch (error) {
    // A merchant's mistake is reported, and changes nothing here.
    setTimeout(() => {
      throw error;
    });
  }
  return (
    status === 'cancelled' &&
    cancelUrl &&
    sessionId &&
    appendParams(cancelUrl, { status, sessionId, timestamp })
  );
};
