import type { Explanation, Finding } from '../api/webhooks.ts';
import { isRecord } from '../store/checks.ts';
import { SIGNATURE_HEADER, signBody } from './signature.ts';

/** An endpoint as it is now, with a label for findings. */
export interface KnownSecret {
  readonly endpointId: string;
  readonly label: string;
  /** Null if the endpoint sends unsigned requests. */
  readonly secret: string | null;
}

/** A webhook that the service has sent. Its endpoint may no longer exist. */
export interface SentWebhook {
  readonly endpointId: string;
  readonly label: string;
  readonly body: string;
}

export interface SignatureKnowledge {
  readonly secrets: readonly KnownSecret[];
  /** The stored webhook that was sent with the received signature. */
  readonly sent: SentWebhook | undefined;
}

export interface ReceivedWebhook {
  /** The body as the receiver has it. */
  readonly body: string;
  /** All headers, or only the signature header. Header names may be in any case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The secret that the receiver verifies with, if it is given. */
  readonly secret?: string | undefined;
}

/** The body that was signed, and the endpoint whose secret signed it. */
interface Signed {
  readonly endpointId: string | null;
  readonly label: string;
  readonly body: string;
}

/**
 * Explains why a signature does not verify, for developers with a request that they have received. Compares
 * it with the webhook that was sent with this signature. If none is stored, tries each known secret.
 */
export async function explainSignature(
  received: ReceivedWebhook,
  known: SignatureKnowledge,
): Promise<Explanation> {
  const { body, secret } = received;
  const { signature, findings } = readSignature(received.headers);
  if (signature === null) return { isValid: false, signedBy: null, findings };
  const signed = known.sent ?? (await findSigned(received, signature, known));
  if (signed === undefined) {
    const finding = body.trim() === '' ? BODY_EMPTY : UNKNOWN_SECRET;
    return { isValid: false, signedBy: null, findings: [...findings, finding] };
  }
  findings.push(...(await checkSecret(secret, signed, signature, known.secrets)));
  findings.push(...compareBodies(signed.body, body));
  const { endpointId, label } = signed;
  return { isValid: findings.length === 0, signedBy: { endpointId, label }, findings };
}

/** Returns the signature in its normal form, or null if the header contains none, and the findings. */
export function readSignature(headers: ReceivedWebhook['headers']): {
  signature: string | null;
  findings: Finding[];
} {
  const header = Object.entries(headers).find(([name]) => name.toLowerCase() === SIGNATURE_HEADER);
  if (!header) return { signature: null, findings: [HEADER_MISSING] };
  const [, value] = header;
  const digest = /(?<![0-9a-z])[0-9a-f]{64}(?![0-9a-z])/i.exec(value)?.[0];
  const signature = digest === undefined ? null : `sha256=${digest.toLowerCase()}`;
  return { signature, findings: signature === value ? [] : [HEADER_MALFORMED] };
}

/**
 * Finds the secret that made a signature of which the service has no record, and the body that it signed:
 * the received one or its compact form, because the service sends compact JSON.
 */
async function findSigned(
  { body: received, secret: given }: ReceivedWebhook,
  signature: string,
  { secrets }: SignatureKnowledge,
): Promise<Signed | undefined> {
  const ofGiven = [given ?? null, ...toTidySecrets(given ?? '')].map((secret) => ({
    endpointId: null,
    label: 'the secret you gave',
    secret,
  }));
  for (const body of [received, toCompact(received) ?? received]) {
    for (const { endpointId, label, secret } of [...secrets, ...ofGiven]) {
      if (await signs(secret, body, signature)) return { endpointId, label, body };
    }
  }
  return undefined;
}

/** Returns the finding about the given secret or, if none was given, about the endpoint's current one. */
async function checkSecret(
  given: string | undefined,
  { endpointId, label, body }: Signed,
  signature: string,
  secrets: readonly KnownSecret[],
): Promise<Finding[]> {
  const signer = secrets.find((one) => one.endpointId === endpointId);
  if (await signs(given ?? signer?.secret, body, signature)) return [];
  if (given === undefined || given === signer?.secret) return [secretReplaced(label)];
  for (const tidy of toTidySecrets(given)) {
    if (await signs(tidy, body, signature)) return [SECRET_MALFORMED];
  }
  return [wrongSecret(label, secrets.find((one) => one.secret === given)?.label)];
}

/** Returns the secret without the spaces and quotes around it, and with the prefix that it may lack. */
function toTidySecrets(given: string): string[] {
  const bare = given.replace(/^[\s"'`]+|[\s"'`]+$/g, '');
  return [bare, `whsec_${bare}`];
}

async function signs(
  secret: string | null | undefined,
  body: string,
  signature: string,
): Promise<boolean> {
  if (secret == null || secret === '') return false;
  return (await signBody(new TextEncoder().encode(body), secret)) === signature;
}

function compareBodies(sent: string, received: string): Finding[] {
  if (sent === received) return [];
  if (received.trim() === '') return [BODY_EMPTY];
  return [
    toCompact(sent, sortKeys) === toCompact(received, sortKeys) ? BODY_REFORMATTED : BODY_CHANGED,
  ];
}

/** Serialises JSON again. Returns undefined for a text that is not JSON or is nested too deeply. */
function toCompact(
  json: string,
  replacer?: (key: string, value: unknown) => unknown,
): string | undefined {
  try {
    return JSON.stringify(JSON.parse(json), replacer);
  } catch {
    return undefined;
  }
}

/** Sorts the keys of an object, because some languages serialise them in a different order. */
function sortKeys(_key: string, value: unknown): unknown {
  return isRecord(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value;
}

const HEADER_MISSING: Finding = {
  code: 'header_missing',
  message: `There is no ${SIGNATURE_HEADER} header: the endpoint has no secret, or a proxy removed the header`,
};
const HEADER_MALFORMED: Finding = {
  code: 'header_malformed',
  message:
    'The header must be sha256= and 64 hex digits, in lower case and without spaces or quotes around them',
};
const SECRET_MALFORMED: Finding = {
  code: 'secret_malformed',
  message:
    'The secret you gave has spaces, quotes or a line break around it, or lacks whsec_, its first characters',
};
const wrongSecret = (signer: string, owner: string | undefined): Finding => ({
  code: 'wrong_secret',
  message: owner
    ? `The secret you gave belongs to ${owner}, but this webhook was signed with the secret of ${signer}`
    : `The secret you gave is not the one of ${signer}, which signed this webhook. It may be mistyped, cut short or an old one`,
});
const secretReplaced = (signer: string): Finding => ({
  code: 'secret_replaced',
  message: `This webhook was signed with an earlier secret of ${signer}, before the secret was changed or the endpoint was deleted`,
});
const BODY_EMPTY: Finding = {
  code: 'body_empty',
  message:
    'The body is empty here, but it was not when it was sent. Something, such as a JSON parser, has already read it: verify the raw bytes',
};
const BODY_REFORMATTED: Finding = {
  code: 'body_reformatted',
  message:
    'The body has the content that was sent, but not the same bytes. It was parsed and serialised again, or white space was changed: verify the raw bytes',
};
const BODY_CHANGED: Finding = {
  code: 'body_changed',
  message:
    'The service signed a different body. The content has been changed since, or the header is that of another request',
};
const UNKNOWN_SECRET: Finding = {
  code: 'unknown_secret',
  message: 'No secret that the service knows produces this signature for this body',
};
