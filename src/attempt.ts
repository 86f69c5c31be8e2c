import { OfAgeError, type OfAgeErrorCode } from './errors.ts';
import type { OfAgeOptions } from './options.ts';
import type { CancelReason, VerifyResult } from './outcome.ts';
import { tryTo } from './try-to.ts';
import { appendParams } from './urls.ts';

/** How an attempt ends: with what is to be added to its result, or with an error. */
export type Ending = Partial<VerifyResult> | OfAgeError;

/** One call of verify(), from the click to its end. */
export interface Attempt {
  /** What verify() returned. */
  _promise: Promise<VerifyResult>;
  /** What the promise will resolve to; filled as it becomes known. */
  _result: Partial<VerifyResult>;
  /** The same for calls with equal options. */
  _key?: string;
  _settled?: boolean;
  /** Brings the verification window to the front; false when there is none any more. */
  _focus(): boolean;
  /** Looks at the state of things; called every 250 ms. */
  _check(nowMs: number): void;
  /** Calls _check now, and then ends the attempt when its time is over. */
  _look(): void;
  /** Sets the one deadline that counts from now on, and what it means to miss it. */
  _expect(ms: number, code: OfAgeErrorCode): void;
  /** Remembers how to undo something. Only a running attempt registers anything. */
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
  const undos: Array<() => void> = [];
  let deadlineMs = Infinity;
  let late: OfAgeErrorCode;
  let resolve: (result: VerifyResult) => void;
  let reject: (error: OfAgeError) => void;

  const attempt: Attempt = {
    _promise: new Promise((yes, no) => {
      resolve = yes;
      reject = no;
    }),
    _result: {},
    _focus: () => true,
    _check: () => {},
    _look: () => {
      const nowMs = Date.now();
      attempt._check(nowMs);
      if (nowMs >= deadlineMs) attempt._fail(late);
    },
    _expect: (ms, code) => {
      deadlineMs = Date.now() + ms;
      late = code;
    },
    _defer: (undo) => undos.unshift(undo),
    _listen: (type, listener, target = window) => {
      target.addEventListener(type, listener as EventListener);
      attempt._defer(() => target.removeEventListener(type, listener as EventListener));
    },
    _finish: (ending) => {
      if (attempt._settled) return;
      attempt._settled = true;
      // Last first: what watches the window goes before the window is closed. A window of another
      // origin may refuse; the rest must still be undone.
      undos.forEach(tryTo);
      if ('code' in ending) return reject(ending);
      // An ending has a status, and a completed one came with its session.
      const result = Object.assign(attempt._result, ending) as VerifyResult;
      const leaveUrl = settings.mode === 'new-tab' && report(settings, result);
      resolve(result);
      // After whoever awaits the promise has run.
      if (leaveUrl) void attempt._promise.then(() => location.assign(leaveUrl));
    },
    _cancel: (reason) => attempt._finish({ status: 'cancelled', reason }),
    _fail: (code, cause) =>
      attempt._finish(
        cause instanceof OfAgeError
          ? cause
          : new OfAgeError(code, '', { sessionId: attempt._result.sessionId, cause }),
      ),
  };
  // Whoever only uses callbacks must not see an unhandled rejection.
  if (settings.onError) attempt._promise.catch(settings.onError);
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
