import type { Sender } from 'ofage/mock';
import type { HandleWebhook, Receiver } from 'ofage/conformance';

const HOOKS_URL = 'https://hooks.shop.example';

/** Creates a receiver, and a sender that calls it directly. The mock uses the sender in place of the network. */
export function createSenderReceiver(): { receiver: Receiver; sender: Sender } {
  let handle: HandleWebhook = async () => ({ status: 204 });
  return {
    receiver: {
      url: HOOKS_URL,
      async listen(given) {
        handle = given;
        return async () => {};
      },
    },
    sender: {
      async send({ url, headers, body }) {
        const bytes = new Uint8Array(body);
        const answer = await handle({ url, headers: new Headers(headers), bytes });
        const retryAfter = answer.headers?.['retry-after'] ?? null;
        return { kind: 'response', status: answer.status, retryAfter, address: null, hops: 0 };
      },
    },
  };
}

/** Creates a receiver that is an MSW handler, for any major version of MSW. */
export function createMswReceiver(): {
  receiver: Receiver;
  /** The URLs that the handler must answer. */
  urlPattern: string;
  answer: (info: { request: Request }) => Promise<Response>;
} {
  let handle: HandleWebhook = async () => ({ status: 204 });
  return {
    urlPattern: `${HOOKS_URL}/*`,
    receiver: {
      url: HOOKS_URL,
      async listen(given) {
        handle = given;
        return async () => {};
      },
    },
    async answer({ request }) {
      const { status, headers = {} } = await handle({
        url: request.url,
        headers: request.headers,
        bytes: new Uint8Array(await request.arrayBuffer()),
      });
      return new Response(null, { status, headers });
    },
  };
}

/** A check that needs a sender that follows redirects. */
export const FOLLOWED_REDIRECT = 'webhooks.destinations.redirect.followed';

/**
 * Checks that the kit skips for a receiver on this computer, because the service accepts these endpoints.
 */
export const LOOPBACK_DESTINATIONS = [
  'webhooks.destinations.refused.loopback',
  'webhooks.destinations.refused.loopback-other',
  'webhooks.destinations.refused.ipv6-loopback',
  'webhooks.destinations.refused.localhost',
];
