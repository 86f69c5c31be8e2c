import { createHmac } from 'node:crypto';
import { eventBody } from './builders.ts';

export const SECRET = 'whsec_a_secret_of_the_endpoint';

/** The bytes of a webhook and the headers with their signature, as the service sends them. */
export interface Signed {
  readonly body: Uint8Array<ArrayBuffer>;
  readonly headers: Record<string, string>;
}

export const sign = (body: string | Uint8Array, secret = SECRET): string =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;

/** Returns an event as JSON text that differs from `JSON.stringify(JSON.parse(text))`. */
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

/** Creates the request that a Fetch-style server receives. */
export const toRequest = ({ headers, body }: Signed): Request =>
  new Request('https://shop.example/webhooks/ofage', { method: 'POST', headers, body });
