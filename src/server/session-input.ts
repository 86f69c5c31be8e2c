import { OfAgeError } from './errors.ts';
import { kindOf } from './json-object.ts';
import { holdsFields } from './option-checks.ts';
import { isWebUrl } from './session.ts';

/**
 * The method of the age check: `L1` estimates the age from the face, `L2` always asks for an ID document.
 */
export type VerificationMode = 'L1' | 'L2';

/**
 * Input of {@link Client.createSession}. If `verificationMode`, `challengeAge` or `faceMatchEnabled` is
 * omitted or `undefined`, the account's policy applies.
 */
export interface CreateSessionInput {
  /**
   * The page that the shopper returns to after the verification, as an absolute `https:` or `http:` URL.
   * Its query parameters are kept. The service checks its domain against the account's allowed domains.
   */
  returnUrl: string;
  /** The page for a shopper who closes or abandons the check in new-tab flows, as an absolute URL. */
  cancelUrl?: string | undefined;
  /** The account of the secret key. Only needed to detect a key of the wrong account. */
  merchantId?: string | undefined;
  /** The merchant name that the hosted page shows to the shopper. */
  merchantName?: string | undefined;
  /**
   * Your own identifier of the user. It is returned by `validateSession`, in webhooks and in the return
   * URL, so choose one that may be visible there.
   */
  externalUserId?: string | undefined;
  /** Overrides the account's mode for this session. */
  verificationMode?: VerificationMode | undefined;
  /** Overrides the account's age threshold for this session. Years, a number from 25 to 99. */
  challengeAge?: number | undefined;
  /**
   * Overrides whether the selfie is compared with the document's photo. `false` skips only this comparison.
   */
  faceMatchEnabled?: boolean | undefined;
}

/**
 * Checks an input and returns the body to send. Reports only the first problem. The domain of `returnUrl`
 * is checked by the service. Messages quote the input, so they pass through `redact`, which keeps a key in
 * the wrong field out of the logs.
 */
export function toCreateBody(
  input: unknown,
  redact: (text: string) => string,
): Record<string, unknown> {
  const refuse = (reason: string): never => {
    throw new OfAgeError('invalid_input', `Cannot create the session: ${redact(reason)}`);
  };
  if (!holdsFields(input)) {
    return refuse(`the input must be an object with returnUrl, got ${kindOf(input)}`);
  }
  const body: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(input)) {
    const check = Object.hasOwn(CHECKS, name)
      ? CHECKS[name as keyof CreateSessionInput]
      : undefined;
    if (check === undefined) {
      return refuse(`unknown field "${name}"; supported fields: ${Object.keys(CHECKS).join(', ')}`);
    }
    if (value === undefined) continue;
    const expected = check(value);
    if (expected !== undefined) refuse(`${name} must be ${expected}, got ${shown(value, redact)}`);
    body[name] = value;
  }
  if (!Object.hasOwn(body, 'returnUrl')) refuse('returnUrl is required');
  return body;
}

const warnedOf = new Set<string>();

/**
 * Warns once per process if a checked returnUrl already has a parameter that the service appends. A reader
 * that takes the first value would get the session of an earlier verification.
 */
export function warnOfParameters(returnUrl: string): void {
  const { search } = new URL(returnUrl);
  const name = /[?&](sessionId|status|timestamp|externalUserId)=/.exec(search)?.[1];
  if (name === undefined || warnedOf.has(name)) return;
  warnedOf.add(name);
  // oxlint-disable-next-line no-console -- the warning is for the developer of the server
  console.warn(
    `OfAge: returnUrl already has ${name}: read results with handleReturn(url) of "ofage", which takes the last one`,
  );
}

/** Each check returns a description of the expected value if the value is invalid. */
const CHECKS: Readonly<Record<keyof CreateSessionInput, (value: unknown) => string | undefined>> = {
  returnUrl: expectWebUrl,
  cancelUrl: expectWebUrl,
  merchantId: expectString,
  merchantName: expectString,
  externalUserId: expectString,
  verificationMode: (value) => (value === 'L1' || value === 'L2' ? undefined : 'L1 or L2'),
  challengeAge: (value) =>
    typeof value === 'number' && value >= 25 && value <= 99 ? undefined : 'a number from 25 to 99',
  faceMatchEnabled: (value) => (typeof value === 'boolean' ? undefined : 'true or false'),
};

function expectWebUrl(value: unknown): string | undefined {
  const isValid =
    typeof value === 'string' &&
    isWebUrl(value) &&
    !AMBIGUOUS.test(value) &&
    new URL(value).username === '' &&
    new URL(value).password === '';
  return isValid
    ? undefined
    : 'an absolute URL that starts with https:// or http://, without spaces, control characters or credentials';
}

/**
 * Parts of a URL that parsers silently repair: they drop or trim white space and control characters, and turn
 * a backslash into a slash. The SDK refuses the same.
 */
// oxlint-disable-next-line no-control-regex -- the pattern matches control characters
const AMBIGUOUS = /[\0-\x20\x7f]|^[^?#]*\\/;

function expectString(value: unknown): string | undefined {
  return typeof value === 'string' ? undefined : 'a string';
}

/** Quotes and shortens the value. It is redacted before it is cut, otherwise half a key could remain. */
function shown(value: unknown, redact: (text: string) => string): string {
  if (typeof value !== 'string' || value === '') return kindOf(value);
  if (/^https?:\/\/[^/?#]*@/i.test(value)) return 'a URL with a user name or a password';
  const text = redact(value);
  return text.length > 80 ? `"${text.slice(0, 80)}…"` : `"${text}"`;
}
