import { oddText, sign } from '../server/signed-request.ts';

/** Requests to the route of a shop's webhook, with the status that each must get. */
const REQUESTS = [
  { what: 'a signed event', status: 204, change: (text: string) => ({ text, header: sign(text) }) },
  {
    what: 'an event that was changed after it was signed',
    status: 401,
    change: (text: string) => ({ text: text.replace('user-42', 'user-43'), header: sign(text) }),
  },
  {
    what: 'an event that was parsed and serialized again',
    status: 401,
    change: (text: string) => ({ text: JSON.stringify(JSON.parse(text)), header: sign(text) }),
  },
  { what: 'an unsigned event', status: 401, change: (text: string) => ({ text }) },
  {
    what: 'a malformed signature',
    status: 401,
    change: (text: string) => ({ text, header: sign(text).slice(7) }),
  },
  {
    what: 'a body that is too long',
    status: 413,
    change: () => ({ text: 'x'.repeat(1_100_000), header: sign('x'.repeat(1_100_000)) }),
  },
];

/** Sends good and bad webhooks to a shop, and checks its responses. */
export async function checkWebhooks(url: string): Promise<void> {
  for (const { what, status, change } of REQUESTS) {
    const { text, header }: { text: string; header?: string } = change(oddText());
    const headers = {
      'content-type': 'application/json',
      ...(header !== undefined && { 'x-ofage-signature': header }),
    };
    const response = await fetch(`${url}/webhooks/ofage`, { method: 'POST', headers, body: text });
    await response.arrayBuffer();
    if (response.status !== status) {
      throw new Error(`The webhook answered ${what} with ${response.status}, expected ${status}`);
    }
  }
}
