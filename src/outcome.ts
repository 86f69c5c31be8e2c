/** The action of the shopper or of the page that cancelled a verification. */
export type CancelReason =
  /** The shopper cancelled on the hosted page. */
  | 'user'
  /** The shopper closed the verification window. */
  | 'closed'
  /** The shopper closed the window while the session was being created. */
  | 'closed_before_start'
  /** Redirect mode: the shopper came back with the browser's Back button. */
  | 'history_back'
  /** The page called `destroy()`. */
  | 'destroyed';

/**
 * The result that `onComplete` receives when the shopper finished the check. It is a hint, never an
 * authorization.
 */
export interface CompletedResult {
  /** The status that the hosted page reported. Your server must call validate before it grants access. */
  status: 'verified' | 'failed';
  /** The session to pass to your server. */
  sessionId: string;
  /** End of the check, in milliseconds since the epoch, if the page reported it. */
  timestamp?: number | undefined;
  /** The identifier that was given to `verify()`. */
  externalUserId?: string | undefined;
}

/** The result when the shopper cancelled or the page called `destroy()`. This is not an error. */
export interface CancelledResult {
  /** Distinguishes this result from a {@link CompletedResult}. */
  status: 'cancelled';
  /** Absent if the attempt ended before a session existed. */
  sessionId?: string | undefined;
  /** Time of the cancellation, in milliseconds since the epoch, if the page reported it. */
  timestamp?: number | undefined;
  /** The identifier that was given to `verify()`. */
  externalUserId?: string | undefined;
  /** Tells a cancellation by the shopper from a call to `destroy()`. */
  reason: CancelReason;
}

/** The result of `verify()`, a union discriminated by `status`. */
export type VerifyResult = CompletedResult | CancelledResult;

/** The part of an outcome that is sent between windows. */
export interface Notice {
  status: VerifyResult['status'];
  sessionId: string;
  timestamp?: number | undefined;
}

/** Unchecked fields of a message or of an address. */
export type Fields = Record<string, unknown>;

/** Parses untrusted fields. Returns undefined if the session id or the status is invalid. */
export const parseNotice = (fields: Fields): Notice | undefined => {
  const { sessionId, status, timestamp } = fields;
  if (!isSessionId(sessionId) || !isStatus(status)) return;
  // An invalid timestamp is dropped, because the outcome itself is still usable.
  return { status, sessionId, timestamp: isTimestamp(timestamp) ? timestamp : undefined };
};

const STATUSES: readonly unknown[] = ['verified', 'failed', 'cancelled'];

const isStatus = (value: unknown): value is Notice['status'] => STATUSES.indexOf(value) >= 0;

const isTimestamp = (value: unknown): value is number =>
  Number.isSafeInteger(value) && (value as number) > 0;

/**
 * Session ids are opaque, but must be short and printable, because they become a channel's name and a query
 * value.
 */
export const isSessionId = (value: unknown): value is string =>
  typeof value === 'string' && /^[!-~]{1,200}$/.test(value);
