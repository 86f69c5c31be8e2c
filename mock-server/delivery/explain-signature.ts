import { SIGNATURE_HEADER, signBody } from './signature.ts';

/** A secret that may have signed, with what to call it. */
export interface KnownSecret {
  /** An endpoint's id; null for one that the caller brought. */
  readonly endpointId: string | null;
  readonly label: string;
  readonly secret: string;
}

export interface ReceivedWebhook {
  /** The body as the receiver has it. */
  readonly body: string;
  /** All headers, or the signature's alone. Names in any case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The secret that the receiver verifies with, when it says so. */
  readonly secret?: string | undefined;
}

export type FindingCode =
  | 'header_missing'
  | 'wrong_header'
  | 'prefix_missing'
  | 'prefix_case'
  | 'digest_upper_case'
  | 'digest_base64'
  | 'digest_malformed'
  | 'header_whitespace'
  | 'wrong_secret'
  | 'secret_whitespace'
  | 'body_reserialised'
  | 'body_whitespace'
  | 'body_changed'
  | 'unknown_secret';

export interface Finding {
  readonly code: FindingCode;
  readonly message: string;
}

export interface Explanation {
  /** Whether a receiver with the right secret accepts this, as it stands. */
  readonly isValid: boolean;
  /** Whose secret made the signature; null when no known one did. */
  readonly signedBy: { readonly endpointId: string | null; readonly label: string } | null;
  /** What is wrong, outermost first; empty when nothing is. */
  readonly findings: readonly Finding[];
}

/**
 * Says why a signature does not verify, instead of only that. For developers who look at a request that they
 * received: it tries what goes wrong in practice, with every secret that could have been meant.
 * @param sentBodies The texts that were really sent, to compare with: a body that was parsed and written
 * again cannot be turned back, but the original is known here.
 */
export async function explainSignature(
  received: ReceivedWebhook,
  secrets: readonly KnownSecret[],
  sentBodies: readonly string[] = [],
): Promise<Explanation> {
  const { value, findings } = readHeader(received.headers);
  if (value === null) return { isValid: false, signedBy: null, findings };
  const digest = readDigest(value, findings);
  if (digest === null) return { isValid: false, signedBy: null, findings };

  const brought: KnownSecret[] =
    received.secret === undefined
      ? []
      : [{ endpointId: null, label: 'the secret you gave', secret: received.secret }];
  const candidates = [...brought, ...secrets].filter(({ secret }) => secret !== '');
  for (const body of toBodies(received.body, sentBodies)) {
    const signedBy = await findSigner(body.text, digest, candidates);
    if (!signedBy) continue;
    findings.push(...toSecretFindings(received.secret, signedBy), ...body.findings);
    const { endpointId, label } = signedBy;
    return { isValid: findings.length === 0, signedBy: { endpointId, label }, findings };
  }
  findings.push(toUnsigned(received.body, sentBodies));
  return { isValid: false, signedBy: null, findings };
}

const FINDINGS: Readonly<Record<FindingCode, string>> = {
  header_missing: `There is no ${SIGNATURE_HEADER} header: the endpoint has no secret, or something on the way dropped it`,
  wrong_header: `The signature stands in another header; it is sent as ${SIGNATURE_HEADER}`,
  prefix_missing: 'The value must begin with sha256=, followed by the digest',
  prefix_case: 'The prefix must be sha256= in lower case',
  digest_upper_case: 'The digest must be in lower-case hex, and this one has upper-case letters',
  digest_base64: 'The digest must be in hex, and this one is in base64',
  digest_malformed: 'The digest must be 64 hex digits',
  header_whitespace: 'There are spaces or quotes around the value; compare it without them',
  wrong_secret: 'The signature was made with the secret of another endpoint than the one you gave',
  secret_whitespace:
    'The secret you gave has spaces or a line break around it, which belong to no secret',
  body_reserialised:
    'The body was parsed and written again: verify the raw bytes, before any JSON parser sees them',
  body_whitespace: 'Only white space in the body differs from what was sent: verify the raw bytes',
  body_changed: 'The body was sent by this service, and its content was changed since',
  unknown_secret: 'No known secret makes this signature over this body',
};

function toFinding(code: FindingCode): Finding {
  return { code, message: FINDINGS[code] };
}

interface HeaderReading {
  readonly value: string | null;
  readonly findings: Finding[];
}

function readHeader(headers: Readonly<Record<string, string>>): HeaderReading {
  const entries = Object.entries(headers).map(
    ([name, value]) => [name.toLowerCase(), value] as const,
  );
  const own = entries.find(([name]) => name === SIGNATURE_HEADER);
  if (own) return { value: own[1], findings: [] };
  const other = entries.find(([name]) => name.includes('signature'));
  return other
    ? { value: other[1], findings: [toFinding('wrong_header')] }
    : { value: null, findings: [toFinding('header_missing')] };
}

/** The digest as lower-case hex, however it is written; null when it is none. */
function readDigest(value: string, findings: Finding[]): string | null {
  const bare = value.replace(/^[\s"']+|[\s"']+$/g, '');
  if (bare !== value) findings.push(toFinding('header_whitespace'));
  const prefix = /^sha256=/i.exec(bare)?.[0];
  if (prefix === undefined) findings.push(toFinding('prefix_missing'));
  else if (prefix !== 'sha256=') findings.push(toFinding('prefix_case'));
  const digest = bare.slice(prefix?.length ?? 0);
  if (/^[0-9a-f]{64}$/.test(digest)) return digest;
  if (/^[0-9a-f]{64}$/i.test(digest)) {
    findings.push(toFinding('digest_upper_case'));
    return digest.toLowerCase();
  }
  if (/^[A-Za-z0-9+/_-]{43}=?$/.test(digest)) {
    findings.push(toFinding('digest_base64'));
    const text = atob(digest.replaceAll('-', '+').replaceAll('_', '/'));
    return Array.from(text, (char) => char.charCodeAt(0).toString(16).padStart(2, '0')).join('');
  }
  findings.push(toFinding('digest_malformed'));
  return null;
}

/** What may have been signed: the body itself, else what it was before something changed it. */
function toBodies(
  body: string,
  sentBodies: readonly string[],
): { text: string; findings: readonly Finding[] }[] {
  const sent = sentBodies.filter((text) => text !== body && isRelated(text, body));
  const guesses = [body.trim(), `${body}\n`, body.replaceAll('\r\n', '\n')].filter(
    (text, at, all) => text !== body && all.indexOf(text) === at,
  );
  return [
    { text: body, findings: [] },
    ...sent.map((text) => ({ text, findings: [toFinding(compareBodies(text, body))] })),
    ...guesses.map((text) => ({ text, findings: [toFinding('body_whitespace')] })),
    ...toReserialised(body).map((text) => ({ text, findings: [toFinding('body_reserialised')] })),
  ];
}

/** The same event: one says what the other says, or they name the same session and kind. */
function isRelated(sent: string, body: string): boolean {
  return withoutSpace(sent) === withoutSpace(body) || toIdentity(sent) === toIdentity(body);
}

function compareBodies(sent: string, body: string): FindingCode {
  if (withoutSpace(sent) === withoutSpace(body)) return 'body_whitespace';
  return toCanonical(sent) === toCanonical(body) ? 'body_reserialised' : 'body_changed';
}

/** Outside of strings, where it means nothing. */
function withoutSpace(json: string): string {
  return json.replace(/("(?:[^"\\]|\\.)*")|\s+/g, '$1');
}

function toIdentity(json: string): string | null {
  const value = parse(json) as { event?: unknown; data?: { sessionId?: unknown } } | undefined;
  const sessionId = value?.data?.sessionId;
  return typeof sessionId === 'string' ? `${String(value?.event)} ${sessionId}` : null;
}

/** The same text for the same content, whatever the order of keys. */
function toCanonical(json: string): string {
  return JSON.stringify(parse(json), (_key, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
}

/** What this service writes is compact, so a body that was pretty-printed can be turned back. */
function toReserialised(body: string): string[] {
  const value = parse(body);
  const compact = value === undefined ? body : JSON.stringify(value);
  return compact === body ? [] : [compact];
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

async function findSigner(
  body: string,
  digest: string,
  secrets: readonly KnownSecret[],
): Promise<KnownSecret | undefined> {
  const bytes = new TextEncoder().encode(body);
  for (const known of secrets) {
    if ((await signBody(bytes, known.secret)) === `sha256=${digest}`) return known;
  }
  return undefined;
}

function toSecretFindings(given: string | undefined, signer: KnownSecret): Finding[] {
  if (given === undefined || given === signer.secret) return [];
  return [toFinding(given.trim() === signer.secret ? 'secret_whitespace' : 'wrong_secret')];
}

/** No secret fits. A body that names an event of ours, and says something else, was changed. */
function toUnsigned(body: string, sentBodies: readonly string[]): Finding {
  const isChanged =
    !sentBodies.includes(body) &&
    sentBodies.some(
      (sent) => isRelated(sent, body) && compareBodies(sent, body) === 'body_changed',
    );
  return toFinding(isChanged ? 'body_changed' : 'unknown_secret');
}
