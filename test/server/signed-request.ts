import { createHmac } from 'node:crypto';
import { eventBody } from './builders.ts';

export const SECRET = 'whsec_a_secret_of_the_endpoint';

/** What the service sends: bytes, and a signature of them. */
export interface Signed {
  readonly body: Uint8Array<ArrayBuffer>;
  readonly headers: Record<string, string>;
}

export const sign = (body: string | Uint8Array, secret = SECRET): string =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;

/** An event as text that `JSON.stringify(JSON.parse(text))` does not give back. */
export const oddText = (over: object = {}, data: object = {}): string =>
  JSON.stringify(eventBody(over, data))
    .replaceAll('":{', '": {')
    .replace('"challengeAge":25', '"challengeAge": 25.0')
    .replace('tenant-1', 't\\u00e9nant-1');

export function signed(text: string, secret = SECRET): Signed {
  const body = new TextEncoder().encode(text);
  return {
    body,
    headers: { 'content-type': 'application/json', 'x-ofage-signature': sign(body, secret) },
  };
}

/** The request that a Fetch-style server gets. */
export const toRequest = ({ headers, body }: Signed): Request =>
  new Request('https://shop.example/webhooks/ofage', { method: 'POST', headers, body });
