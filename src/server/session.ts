import * as json from './json-object.ts';

/** A session as {@link Client.createSession} returns it. */
export interface Session {
  /** Identifies the session. Keep it, because `validateSession` needs it. */
  readonly sessionId: string;
  /**
   * The hosted page's bearer token. It is opaque and already part of `verifyUrl`. Do not parse it, log it,
   * or send it anywhere else.
   */
  readonly sessionToken: string;
  /** The URL to redirect the shopper to, unchanged. It contains the session token: do not log it. */
  readonly verifyUrl: string;
  /** End of the session, ten minutes after its creation. ISO 8601. */
  readonly expiresAt: string;
  /**
   * Always `false`.
   * @deprecated Use `sandboxMode`.
   */
  readonly testMode: boolean;
  /** True if the session runs in the sandbox, which `testMode` no longer tells. */
  readonly sandboxMode: boolean;
  /** The `externalUserId` of the input, or `null` if there was none. */
  readonly externalUserId: string | null;
  /** True if face match is enabled, which compares the selfie with the photo of the ID document. */
  readonly faceMatchEnabled: boolean;
  /** The opaque token for a QR code that continues the session on a phone. */
  readonly handoffToken: string;
  /**
   * Present only if the account's billing blocks this verification, so that the shopper cannot finish it.
   */
  readonly billingBlock?: BillingBlock;
}

/** The reason why billing blocks a verification. */
export interface BillingBlock {
  /** The reason, for code to switch on. */
  readonly code: 'SUBSCRIPTION_REQUIRED' | 'PLAN_LIMIT_REACHED' | 'SANDBOX_LIMIT_REACHED';
  /** An explanation that users may see. */
  readonly message: string;
  /** The page on which the account's owner can change the plan. */
  readonly portalUrl?: string;
}

/** Tells whether a value has the form of a session's id, a UUID. */
export function isSessionId(value: unknown): value is string {
  return typeof value === 'string' && UUID_SHAPE.test(value);
}

const UUID_SHAPE = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Parses the response of `POST /sessions/create`. Unknown fields are left out. */
export function parseSession(body: json.JsonObject): Session {
  const billingBlock = json.readField(body, 'billingBlock') ?? undefined;
  return {
    sessionId: readSessionId(body),
    sessionToken: json.readString(body, 'sessionToken'),
    verifyUrl: readWebUrl(body, 'verifyUrl'),
    expiresAt: json.readInstant(body, 'expiresAt'),
    testMode: readTestMode(body),
    sandboxMode: json.readBoolean(body, 'sandboxMode'),
    externalUserId: json.readOptionalString(body, 'externalUserId') ?? null,
    faceMatchEnabled: json.readBoolean(body, 'faceMatchEnabled'),
    handoffToken: json.readString(body, 'handoffToken'),
    ...(billingBlock === undefined ? {} : { billingBlock: parseBillingBlock(billingBlock) }),
  };
}

/**
 * Reads a deprecated field, which may disappear from the API. A missing field must not break the client.
 */
export function readTestMode(body: json.JsonObject): boolean {
  return json.readField(body, 'testMode') === undefined
    ? false
    : json.readBoolean(body, 'testMode');
}

function parseBillingBlock(value: unknown): BillingBlock {
  const block = json.toJsonObject(value, 'billingBlock');
  const portalUrl = json.readOptionalString(block, 'portalUrl') ?? '';
  return {
    code: json.readOneOf(block, 'code', BILLING_CODES),
    message: json.readString(block, 'message'),
    // A page may show it as a link, so a script must not pass. The block counts without it too.
    ...(isWebUrl(portalUrl) ? { portalUrl } : {}),
  };
}

/** Reads the id. One that `validateSession` refuses would let the shopper do a check without a result. */
function readSessionId(body: json.JsonObject): string {
  const value = json.readField(body, 'sessionId');
  if (isSessionId(value)) return value;
  throw new json.ShapeError(`sessionId must be a UUID, got ${json.kindOf(value)}`);
}

/**
 * Accepts only http and https, because the shopper's browser is redirected to this URL and a javascript: or
 * data: URL must not pass.
 */
function readWebUrl(body: json.JsonObject, name: string): string {
  const value = json.readString(body, name);
  if (!isWebUrl(value)) {
    throw new json.ShapeError(
      `${name} must be an absolute URL that starts with https:// or http://`,
    );
  }
  return value;
}

/** Tells whether a text is an absolute URL of the web, which is not a script such as `javascript:`. */
export function isWebUrl(text: string): boolean {
  return /^https?:\/\//i.test(text) && URL.canParse(text);
}

const BILLING_CODES = [
  'SUBSCRIPTION_REQUIRED',
  'PLAN_LIMIT_REACHED',
  'SANDBOX_LIMIT_REACHED',
] as const;
