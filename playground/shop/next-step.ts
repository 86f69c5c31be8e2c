import type { AccessState, Decision } from './api.ts';
import { SELLS_FROM } from './check-policy.ts';

/** The browser's information about the check. It is a hint and does not open the shop. */
export interface Hint {
  readonly status: 'verified' | 'failed' | 'cancelled' | 'error' | 'waiting' | 'leaving';
  readonly sessionId?: string;
  /** The unchanged result or error of the SDK, or the parameters of the URL. */
  readonly detail: unknown;
  /** The source of the hint, for example `verify() resolved`. */
  readonly from: string;
  /** The time of the newest webhook received before this check began. ISO 8601. */
  readonly lastWebhookAt?: string;
}

/** The message for the shopper and the available actions. */
export interface NextStep {
  readonly kind:
    | 'closed'
    | 'waiting'
    | 'leaving'
    | 'unfinished'
    | 'asking'
    | 'open'
    | 'failed'
    | 'cancelled'
    | 'expired'
    | 'blocked'
    | 'error';
  readonly title: string;
  readonly text: string;
  /** The label of the button. Null uses the default label. */
  readonly button: string | null;
  /** True if the age gate also offers the check in this tab, for browsers that block windows. */
  readonly offersRedirect: boolean;
}

/** Chooses the age gate's message. Only `access` opens the shop. */
export function toNextStep(
  hint: Hint | null,
  access: AccessState | null,
  decision: Decision | null,
): NextStep {
  if (access?.access) {
    return step('open', 'Welcome in', 'Your age is confirmed. You can place your order.', null);
  }
  const isExpired = decision?.problem?.code === 'session_expired' || latestIsTimeout(hint, access);
  if (isExpired) return EXPIRED;
  switch (hint?.status) {
    case 'waiting':
      return step(
        'waiting',
        'The check is open',
        'Finish it in the other window. Can’t find that window? Press the button to bring it back.',
        'Show the check',
      );
    case 'leaving':
      return step('leaving', 'One moment', 'Taking you to the check…', 'Verify my age');
    case 'failed':
      return FAILED;
    case 'cancelled':
      return CANCELLED;
    case 'verified':
      return decision && !decision.access ? toUnconfirmed(decision) : ASKING;
    case 'error':
      return toErrorStep(hint.detail);
    case undefined:
      return toLostStep(decision);
  }
}

/** Returns the message for a page that did not start the latest check, or lost its result in a reload. */
function toLostStep(decision: Decision | null): NextStep {
  switch (decision?.validation?.status) {
    case 'pending':
      return step(
        'unfinished',
        'Your check is not finished',
        'Finish it in its window or tab, and this page will show the result. If it is closed, start a new one.',
        'Start a new check',
      );
    case 'failed':
      return FAILED;
    case 'cancelled':
      return CANCELLED;
    default:
      return step('closed', 'For adults only', `We sell from ${SELLS_FROM}.`, 'Verify my age');
  }
}

/** Tells whether the newest webhook of the shop's server is a timeout, and no check has begun since. */
function latestIsTimeout(hint: Hint | null, access: AccessState | null): boolean {
  const [latest] = access?.webhooks ?? [];
  if (latest?.event !== 'session.timeout') return false;
  if (latest.receivedAt === hint?.lastWebhookAt) return false;
  return hint?.sessionId === undefined || hint.sessionId === latest.sessionId;
}

function toUnconfirmed({ problem }: Decision): NextStep {
  return step(
    'failed',
    'Not confirmed',
    problem
      ? 'Your browser said "verified", but our server could not confirm it.'
      : 'Your browser said "verified", but our server got a different result.',
    'Try again',
  );
}

/** Returns a message for the shopper. The SDK's own message is for the developer of the page. */
function toErrorStep(error: unknown): NextStep {
  const { code, retryAfterMs }: Record<string, unknown> = Object(error);
  switch (code) {
    case 'popup_blocked':
      return {
        ...step(
          'blocked',
          'Your browser blocked the window',
          'Allow this shop to open windows and press the button again, or do the check in this tab.',
          'Try again',
        ),
        offersRedirect: true,
      };
    case 'session_expired':
      return EXPIRED;
    case 'rate_limited': {
      const seconds = typeof retryAfterMs === 'number' ? Math.ceil(retryAfterMs / 1_000) : null;
      const wait = seconds === null ? 'a minute' : formatSeconds(seconds);
      return step('error', 'Too many checks', `Please wait ${wait}, then try again.`, 'Try again');
    }
    case 'network_error':
    case 'request_timeout':
    case 'invalid_response':
    case 'server_error':
    case 'service_unavailable':
      return step(
        'error',
        'The age check cannot be reached',
        'Please check your connection and try again in a moment.',
        'Try again',
      );
    case 'navigation_failed':
      return step(
        'error',
        'The check did not open',
        'Your browser stopped loading it. Please try again.',
        'Try again',
      );
    case 'superseded':
    case 'verification_in_progress':
      return step(
        'waiting',
        'The check is open',
        'Finish it in the other window.',
        'Show the check',
      );
    default:
      return step(
        'error',
        'The check is not available',
        'The problem is on our side. Please try again later.',
        'Try again',
      );
  }
}

const formatSeconds = (count: number): string => (count === 1 ? '1 second' : `${count} seconds`);

const step = (
  kind: NextStep['kind'],
  title: string,
  text: string,
  button: string | null,
): NextStep => ({ kind, title, text: text.trim(), button, offersRedirect: false });

const ASKING = step('asking', 'One moment', 'We are asking for the result…', null);

const EXPIRED = step(
  'expired',
  'The check has expired',
  'A check has to be finished within ten minutes.',
  'Start a new check',
);

const FAILED = step(
  'failed',
  'We could not confirm your age',
  'We cannot sell to you without it. If the photo was unclear, or you have an ID at hand, try again.',
  'Try again',
);

const CANCELLED = step(
  'cancelled',
  'The check was cancelled',
  'No photo was stored. You can start again at any time.',
  'Start again',
);
