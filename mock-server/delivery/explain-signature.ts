import { compareBodies, guessBodies, isChanged, isTestBody } from './compare-bodies.ts';
import { signBody } from './signature.ts';
import { isNote, toFinding, type Finding } from './signature-findings.ts';
import { readSignature } from './signature-header.ts';

export type { Finding, FindingCode } from './signature-findings.ts';

/** An endpoint as it is now, with a label for findings. */
export interface KnownSecret {
  readonly endpointId: string;
  readonly label: string;
  /** Null if the endpoint sends unsigned requests. */
  readonly secret: string | null;
}

/** A body that was sent to an endpoint, with its signature header. The endpoint may no longer exist. */
export interface SentWebhook {
  readonly endpointId: string;
  readonly label: string;
  readonly body: string;
  readonly signature: string;
}

export interface SignatureKnowledge {
  readonly secrets: readonly KnownSecret[];
  /**
   * The bodies of recent events and tests, to compare with the received body. A body that was parsed and
   * serialised again cannot be restored, but its original is in this list.
   */
  readonly bodies: readonly string[];
  /**
   * The stored webhooks that were sent with the received signature, one stored webhook for each secret that
   * an endpoint has signed with, and recent test events.
   */
  readonly sent: readonly SentWebhook[];
}

export interface ReceivedWebhook {
  /** The body as the receiver has it. */
  readonly body: string;
  /** All headers, or only the signature header. Header names may be in any case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The secret that the receiver verifies with, if it is given. */
  readonly secret?: string | undefined;
}

/** The reasons why a signature does not verify, or the confirmation that it does. */
export interface Explanation {
  /**
   * True if this header and body verify with the given secret or, if none was given, with the current
   * secret of an endpoint or the secret of a deleted one. The findings then contain only notes.
   */
  readonly isValid: boolean;
  /**
   * The endpoint whose secret made the signature, or null if no known secret did. Its `endpointId` is null
   * if only the given secret did.
   */
  readonly signedBy: { readonly endpointId: string | null; readonly label: string } | null;
  /**
   * The mistakes in the header, the secret and the body, in this order, and notes on a signature that
   * verifies.
   */
  readonly findings: readonly Finding[];
}

type Signer = NonNullable<Explanation['signedBy']>;

/**
 * Explains why a signature does not verify, for developers with a request that they have received. It tries
 * the mistakes that occur in practice, with every secret that may have been used.
 */
export async function explainSignature(
  received: ReceivedWebhook,
  known: SignatureKnowledge,
): Promise<Explanation> {
  const { signature, findings } = readSignature(received.headers);
  if (signature === null) return { isValid: false, signedBy: null, findings };
  const { body, secret: given } = received;
  const sent = known.sent.find((one) => one.signature === signature);
  if (sent) {
    const secretFindings = await explainSent(sent, given, known);
    return toExplanation(sent, [...findings, ...secretFindings, ...compareBodies(sent.body, body)]);
  }

  for (const guess of guessBodies(body, known.bodies)) {
    const signer = await findSigner(guess.text, signature, given, known);
    if (signer) return toExplanation(signer, [...findings, ...signer.findings, ...guess.findings]);
  }
  return toExplanation(null, [...findings, toUnsigned(body, known.bodies)]);
}

function toExplanation(signer: Signer | null, findings: readonly Finding[]): Explanation {
  const signedBy = signer && { endpointId: signer.endpointId, label: signer.label };
  return { isValid: signer !== null && findings.every(isNote), signedBy, findings };
}

/** Explains a signature that the service has sent. Its endpoint and body are known. */
async function explainSent(
  sent: SentWebhook,
  given: string | undefined,
  known: SignatureKnowledge,
): Promise<Finding[]> {
  const { endpointId, label: signer, body, signature } = sent;
  const endpoint = known.secrets.find((one) => one.endpointId === endpointId);
  const isPresent = await signs(endpoint?.secret, body, signature);
  const whatHappened = isPresent
    ? []
    : [toFinding(endpoint ? 'secret_replaced' : 'endpoint_deleted', { signer })];
  const beforeRotation = toFinding('signed_before_rotation', { signer });
  if (given === undefined) return endpoint && !isPresent ? [beforeRotation] : whatHappened;
  if (await signs(given, body, signature)) return whatHappened;
  const mistakes = await findCopyMistakes(given, body, signature);
  if (mistakes) return [...mistakes, ...whatHappened];
  if (endpoint?.secret === given) return [beforeRotation];
  return [await explainOtherSecret(given, sent, known), ...whatHappened];
}

/**
 * Explains a given secret that did not make the signature. It may belong to a different endpoint, have
 * been replaced, or be mistyped.
 */
async function explainOtherSecret(
  given: string,
  { endpointId, label: signer }: Signer,
  { secrets, sent }: SignatureKnowledge,
): Promise<Finding> {
  const owner = secrets.find((one) => one.secret === given);
  if (owner) return toFinding('wrong_secret', { signer, owner: owner.label });
  for (const earlier of sent) {
    if (!(await signs(given, earlier.body, earlier.signature))) continue;
    return earlier.endpointId === endpointId
      ? toFinding('old_secret', { signer })
      : toFinding('wrong_secret', { signer, owner: earlier.label });
  }
  return toFinding('secret_mistyped');
}

const GIVEN: Signer = { endpointId: null, label: 'the secret you gave' };

/**
 * Finds the secret that made a signature of which the service has no record. Tries the known secrets, then
 * the given one, as it is and with copy mistakes corrected. Returns null if none matches.
 */
async function findSigner(
  body: string,
  signature: string,
  given: string | undefined,
  known: SignatureKnowledge,
): Promise<(Signer & { readonly findings: readonly Finding[] }) | null> {
  for (const { endpointId, label, secret } of known.secrets) {
    if (!(await signs(secret, body, signature))) continue;
    const signer = { endpointId, label };
    if (given === undefined || given === secret) return { ...signer, findings: [] };
    const mistakes = await findCopyMistakes(given, body, signature);
    return { ...signer, findings: mistakes ?? [await explainOtherSecret(given, signer, known)] };
  }
  if (given === undefined) return null;
  if (await signs(given, body, signature)) return { ...GIVEN, findings: [] };
  const mistakes = await findCopyMistakes(given, body, signature);
  return mistakes && { ...GIVEN, findings: mistakes };
}

/**
 * Finds the mistakes in copying the secret, such as quotes around it. Returns null if the secret does not
 * fit after they are corrected.
 */
async function findCopyMistakes(
  given: string,
  body: string,
  signature: string,
): Promise<Finding[] | null> {
  const findings: Finding[] = [];
  let secret = given;
  for (const [code, correct] of COPY_MISTAKES) {
    const corrected = correct(secret);
    if (corrected === secret) continue;
    secret = corrected;
    findings.push(toFinding(code));
    if (await signs(secret, body, signature)) return findings;
  }
  return null;
}

const COPY_MISTAKES = [
  ['secret_whitespace', (secret) => secret.trim()],
  ['secret_quoted', (secret) => secret.replace(/^["'`]\s*|\s*["'`]$/g, '')],
  ['secret_prefix_missing', (secret) => secret.replace(/^(?!whsec_)/, 'whsec_')],
] as const satisfies readonly [Finding['code'], (secret: string) => string][];

async function signs(
  secret: string | null | undefined,
  body: string,
  signature: string,
): Promise<boolean> {
  if (secret == null || secret === '') return false;
  return (await signBody(new TextEncoder().encode(body), secret)) === signature;
}

/**
 * Returns the finding if no secret fits. The body was changed if it names an event that was sent, but has
 * different content.
 */
function toUnsigned(body: string, bodies: readonly string[]): Finding {
  if (body.trim() === '') return toFinding('body_empty');
  if (isChanged(body, bodies)) return toFinding('body_changed');
  const isForgotten = isTestBody(body) && !bodies.includes(body);
  return toFinding(isForgotten ? 'test_unknown' : 'unknown_secret');
}
