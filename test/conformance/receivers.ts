import type { Sender } from 'ofage/mock';
import type { HandleWebhook, Receiver } from 'ofage/conformance';
import { answered } from '../support/a-mock.ts';

const HOOKS_URL = 'https://hooks.shop.example';

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

/** Creates a receiver, and a sender that calls it directly. The mock uses the sender in place of the network. */
export function createSenderReceiver(): { receiver: Receiver; sender: Sender } {
  const { receiver, handle } = createReceiver();
  return {
    receiver,
    sender: {
      async send({ url, headers, body }) {
        const bytes = new Uint8Array(body);
        const answer = await handle({ url, headers: new Headers(headers), bytes });
        return answered(answer.status, answer.headers?.['retry-after']);
      },
    },
  };
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
