import type { Pasted } from './explain.ts';
import { SIGNATURE_HEADER } from './signature.ts';

/** A webhook with a valid signature. All examples but the first break it in one way. */
export interface SignedWebhook {
  readonly body: string;
  readonly signature: string;
  readonly secret: string;
}

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
  const { body, signature, secret } = right;
  const header = `${SIGNATURE_HEADER}: ${signature}`;
  switch (id) {
    case 'right':
      return { body, header, secret };
    case 'reserialised':
      return { body: JSON.stringify(JSON.parse(body), null, 2), header, secret };
    case 'no_prefix':
      return { body, header: signature.replace('sha256=', ''), secret };
    case 'newline':
      return { body: `${body}\n`, header, secret };
    case 'wrong_secret':
      return { body, header, secret: OTHER_SECRET };
    case 'old_secret':
      return { body, header: `${SIGNATURE_HEADER}: ${await sign(body, OLD_SECRET)}`, secret };
  }
}

/** Creates a sample webhook, used until a real one arrives. */
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
