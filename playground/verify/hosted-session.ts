import { SESSION_STATUSES } from '../../mock-server/words/states.ts';

export type SettledStatus = 'verified' | 'failed' | 'cancelled';
export type HostedStatus = 'pending' | 'expired' | SettledStatus;

/** The session as the hosted page sees it. Times are ISO 8601, by the service's clock. */
export interface HostedSession {
  readonly sessionId: string;
  readonly status: HostedStatus;
  readonly merchantName: string;
  readonly verificationMode: 'L1' | 'L2';
  /** The challenge age, in years. */
  readonly challengeAge: number;
  readonly faceMatchEnabled: boolean;
  readonly sandboxMode: boolean;
  readonly externalUserId: string | null;
  readonly returnUrl: string;
  readonly cancelUrl: string | null;
  /** The origins that the shop's window may have. This page addresses its messages to each. */
  readonly messageOrigins: readonly string[];
  readonly expiresAt: string;
  readonly now: string;
  readonly settledAt: string | null;
  /** The reason for a failure, for example `age_not_met`, or `cancelled` after a cancellation. */
  readonly reason: string | null;
  readonly billingBlock: { readonly code: string; readonly message: string } | null;
  /** The scenario that was chosen before the page opened. */
  readonly presetOutcome: string | null;
  /** Number of retakes left after an unusable picture. */
  readonly retriesLeft: number;
  /** True if the last picture was unusable and a retake comes next. */
  readonly needsRetry: boolean;
  /** The device of this page. The second one was opened by the QR code. */
  readonly device: Device;
  /** The device on which the shopper continues. */
  readonly activeDevice: Device;
  /** The address in the QR code. Null on the second device. */
  readonly handoffUrl: string | null;
}

export type Device = 'first' | 'second';

/**
 * Parses a response of the hosted page's API.
 * @throws TypeError if a text, a URL or an enumerated value is invalid. Numbers and booleans are not checked.
 */
export function parseHostedSession(body: unknown): HostedSession {
  if (typeof body !== 'object' || body === null)
    throw new TypeError('The session must be an object');
  const fields: Record<string, unknown> = { ...body };

  const text = (name: string): string => {
    const value = fields[name];
    if (typeof value !== 'string') throw new TypeError(`${name} must be a string`);
    return value;
  };
  const textOrNull = (name: string): string | null =>
    fields[name] === null || fields[name] === undefined ? null : text(name);

  return {
    sessionId: text('sessionId'),
    status: oneOf(fields['status'], SESSION_STATUSES),
    // If the session has no merchant name, the page shows the shop's host, which the shopper knows.
    merchantName: textOrNull('merchantName') ?? new URL(text('returnUrl')).host,
    verificationMode: oneOf(fields['verificationMode'], ['L1', 'L2']),
    challengeAge: Number(fields['challengeAge']),
    faceMatchEnabled: fields['faceMatchEnabled'] === true,
    sandboxMode: fields['sandboxMode'] === true,
    externalUserId: textOrNull('externalUserId'),
    returnUrl: webUrl(text('returnUrl')),
    cancelUrl: webUrlOrNull(textOrNull('cancelUrl')),
    messageOrigins: parseOrigins(fields['messageOrigins']),
    expiresAt: text('expiresAt'),
    now: text('now'),
    settledAt: textOrNull('settledAt'),
    reason: textOrNull('reason'),
    billingBlock: parseBillingBlock(fields['billingBlock']),
    presetOutcome: textOrNull('presetOutcome'),
    retriesLeft: Number(fields['retriesLeft']),
    needsRetry: fields['needsRetry'] === true,
    device: oneOf(fields['device'], ['first', 'second']),
    activeDevice: oneOf(fields['activeDevice'], ['first', 'second']),
    handoffUrl: webUrlOrNull(textOrNull('handoffUrl')),
  };
}

function oneOf<Choice extends string>(value: unknown, choices: readonly Choice[]): Choice {
  const found = choices.find((choice) => choice === value);
  if (found === undefined) throw new TypeError(`The value must be one of ${choices.join(', ')}`);
  return found;
}

/** Accepts only http and https, because the page navigates there and must not run `javascript:`. */
function webUrl(value: string): string {
  const { protocol } = new URL(value);
  if (protocol !== 'https:' && protocol !== 'http:')
    throw new TypeError('The URL must use http or https');
  return value;
}

const webUrlOrNull = (value: string | null) => (value === null ? null : webUrl(value));

/** Accepts only origins, because `*` would address the message to any page. */
function parseOrigins(value: unknown): readonly string[] {
  if (!Array.isArray(value)) throw new TypeError('messageOrigins must be a list');
  return value.map((origin) => new URL(webUrl(String(origin))).origin);
}

function parseBillingBlock(value: unknown): HostedSession['billingBlock'] {
  if (typeof value !== 'object' || value === null) return null;
  const { code, message }: { code?: unknown; message?: unknown } = value;
  return { code: String(code), message: typeof message === 'string' ? message : '' };
}
