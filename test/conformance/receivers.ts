import type { Sender } from 'ofage-mock';
import type { HandleWebhook, Receiver } from 'ofage-mock/conformance';
import { answered } from '../support/a-mock.ts';

const HOOKS_URL = 'https://hooks.shop.example';
const OTHER_URL = 'https://hooks.shop.example:8443';

/** Creates a receiver, and a function that passes webhooks to the check that listens at the moment. */
function createReceiver(): { receiver: Receiver; handle: HandleWebhook } {
  let listener: HandleWebhook = async () => ({ status: 204 });
  return {
    receiver: {
      url: HOOKS_URL,
      async listen(given) {
        listener = given;
        return async () => {};
      },
    },
    handle: (webhook) => listener(webhook),
  };
}

const REDIRECTS = [301, 302, 303, 307, 308];

/**
 * Creates a receiver, and a sender that calls it directly, follows redirects to it, and lets slow attempts
 * time out without waiting. The mock uses the sender in place of the network.
 */
export function createSenderReceiver(): { receiver: Receiver; sender: Sender } {
  const { receiver, handle } = createReceiver();
  let delayedMs = 0;
  const sender: Sender = {
    async send(request) {
      const { url, headers, body, timeoutMs } = request;
      if (new URL(url).hostname.endsWith('.invalid'))
        return { kind: 'failure', error: 'dns', address: null, hops: 0 };
      const bytes = new Uint8Array(body);
      delayedMs = 0;
      const answer = await handle({ url, headers: new Headers(headers), bytes });
      if (delayedMs > timeoutMs)
        return { kind: 'failure', error: 'timeout', address: null, hops: 0 };
      const { location } = answer.headers ?? {};
      if (location === undefined || !REDIRECTS.includes(answer.status))
        return answered(answer.status, answer.headers?.['retry-after']);
      if ([HOOKS_URL, OTHER_URL].some((base) => location.startsWith(`${base}/`)))
        return sender.send({ ...request, url: location });
      return { kind: 'refused', error: 'destination_not_public', address: null, hops: 1 };
    },
  };
  const delay = async (ms: number): Promise<void> => {
    delayedMs = ms;
  };
  return { receiver: { ...receiver, otherUrl: OTHER_URL, delay }, sender };
}

/** Creates a receiver that is an MSW handler, for any major version of MSW. */
export function createMswReceiver() {
  const { receiver, handle } = createReceiver();
  return {
    receiver,
    /** The URLs that the handler must answer. */
    urlPattern: `${HOOKS_URL}/*`,
    async answer({ request }: { request: Request }): Promise<Response> {
      const { url, headers: sent } = request;
      const bytes = new Uint8Array(await request.arrayBuffer());
      const { status, headers = {} } = await handle({ url, headers: sent, bytes });
      return new Response(null, { status, headers });
    },
  };
}

/** The check that the kit skips for a receiver on this computer, because the service accepts its endpoints. */
export const LOOPBACK_DESTINATIONS = 'webhooks.destinations.refused.this-computer';
