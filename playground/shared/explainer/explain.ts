import type { ExplainInput, FindingCode } from 'ofage-mock';
import { tabStorage } from '../text-storage.ts';

export const SIGNATURE_HEADER = 'x-ofage-signature';

/** A webhook as pasted by the user. */
export interface Pasted {
  readonly body: string;
  /** The header's value, its whole line, or all headers. */
  readonly header: string;
  readonly secret: string;
}

/** A webhook as it was received, with the secret that signed it. */
export interface SignedWebhook {
  readonly body: string;
  readonly signature: string;
  readonly secret: string;
}

const HANDED_OVER_KEY = 'ofage:explain';

/** Keeps a received webhook for the explainer on another page, which this tab opens next. */
export function handOver(webhook: SignedWebhook): void {
  // Not in the address, because it contains the secret.
  tabStorage.setItem(HANDED_OVER_KEY, JSON.stringify(webhook));
}

/** Returns the webhook that another page has handed over, once. */
export function takeHandedOver(): SignedWebhook | null {
  const text = tabStorage.getItem(HANDED_OVER_KEY);
  tabStorage.removeItem(HANDED_OVER_KEY);
  return text === null ? null : (JSON.parse(text) as SignedWebhook);
}

export const toPasted = ({ body, signature, secret }: SignedWebhook): Pasted => ({
  body,
  header: `${SIGNATURE_HEADER}: ${signature}`,
  secret,
});

/**
 * Converts the pasted webhook to the request for an explanation. If all lines have the form `name: value`,
 * they are headers. Any other text is the value of the signature header.
 */
export function toExplainRequest({ body, header, secret }: Pasted): ExplainInput {
  const lines = header.split('\n').filter((line) => line.trim() !== '');
  const pairs = lines.map((line) => /^\s*([!#$%&'*+.^`|~\w-]+):[ \t]?(.*?)\r?$/.exec(line));
  const isHeaders = pairs.length > 0 && pairs.every((pair) => pair !== null);
  const signature = header === '' ? {} : { [SIGNATURE_HEADER]: header };
  const headers = isHeaders
    ? Object.fromEntries(pairs.map((pair) => [pair?.[1] ?? '', pair?.[2] ?? '']))
    : signature;
  return { body, headers, ...(secret === '' ? {} : { secret }) };
}

/** The examples. All but the first break a correct webhook in one way. */
export const EXAMPLES = [
  { id: 'right', title: 'Right' },
  { id: 'reserialised', title: 'Parsed and serialised again' },
  { id: 'no_prefix', title: 'Prefix missing' },
  { id: 'newline', title: 'Trailing newline' },
  { id: 'wrong_secret', title: 'Wrong secret' },
  { id: 'old_secret', title: 'Old secret' },
] as const;

export type ExampleId = (typeof EXAMPLES)[number]['id'];

const OTHER_SECRET = 'whsec_of_another_endpoint';
const OLD_SECRET = 'whsec_before_it_was_changed';

/** Returns the webhook with the mistake of the example. */
export async function toExample(id: ExampleId, right: SignedWebhook): Promise<Pasted> {
  const { body, signature } = right;
  const pasted = toPasted(right);
  switch (id) {
    case 'right':
      return pasted;
    case 'reserialised':
      return { ...pasted, body: JSON.stringify(JSON.parse(body), null, 2) };
    case 'no_prefix':
      return { ...pasted, header: signature.replace('sha256=', '') };
    case 'newline':
      return { ...pasted, body: `${body}\n` };
    case 'wrong_secret':
      return { ...pasted, secret: OTHER_SECRET };
    case 'old_secret':
      return { ...pasted, header: `${SIGNATURE_HEADER}: ${await sign(body, OLD_SECRET)}` };
  }
}

/** Creates a sample webhook, for use without a real one. */
export async function madeUpWebhook(): Promise<SignedWebhook> {
  const secret = 'whsec_an_example_that_is_no_secret';
  const body = JSON.stringify({
    eventId: '7e2f1f52-93ad-4f0a-9d6e-2f3a86a1c0de',
    event: 'verification.completed',
    timestamp: '2026-01-15T10:30:00.000Z',
    test: false,
    data: { sessionId: '3f0d6c1e-8a4b-4c57-9a2e-6b1f5d2c7e90', status: 'verified' },
  });
  return { body, signature: await sign(body, secret), secret };
}

async function sign(body: string, secret: string): Promise<string> {
  const encode = (text: string) => new TextEncoder().encode(text);
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', encode(secret), algorithm, false, ['sign']);
  const mac = new Uint8Array(await crypto.subtle.sign('HMAC', key, encode(body)));
  return `sha256=${Array.from(mac, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

/** The advice for each finding of the explanation. */
export const ADVICE: Readonly<Record<FindingCode, string>> = {
  header_missing: `Read ${SIGNATURE_HEADER}. If it is missing before a proxy too, give the endpoint a secret.`,
  header_malformed:
    'Compare the whole value with "sha256=" and your digest in lower-case hex: digest("hex") in Node, hexdigest in Python and Ruby.',
  secret_malformed:
    'Use the whole secret, whsec_ included. Trim it when you read it, and remove quotes where you set it.',
  wrong_secret:
    'Every endpoint has its own secret. Copy the current one of the endpoint that received this webhook.',
  secret_replaced:
    'Redeliver the webhook. Later attempts are signed with the new secret. Ignore it if you deleted the endpoint.',
  body_empty: 'Read the raw body once, before any parser: a stream that was already read is empty.',
  body_reformatted:
    'Verify the bytes as received: express.raw(), request.text(), or your framework’s raw body.',
  body_changed:
    'Use the body and the header of the same request. If they are, respond with 401 and do nothing else.',
  unknown_secret:
    'Copy the body and the header from the same request. If they still do not match, reject the webhook, because another service may have signed it.',
};
