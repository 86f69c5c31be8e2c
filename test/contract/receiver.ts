import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Sender } from 'ofage/mock';
import type { ReceivedWebhook, Receiver } from './world.ts';

const HOOKS_URL = 'https://hooks.shop.example/webhooks';

/** Creates a receiver that replaces the network. */
export function createSenderReceiver(): { receiver: Receiver; sender: Sender } {
  const received: ReceivedWebhook[] = [];
  return {
    receiver: { url: HOOKS_URL, received },
    sender: {
      async send({ headers, body }) {
        received.push({ headers: new Headers(headers), bodyText: new TextDecoder().decode(body) });
        return { kind: 'response', status: 204, retryAfter: null, address: null, hops: 0 };
      },
    },
  };
}

/** Creates a receiver that is an MSW handler, for any major version of MSW. */
export function createMswReceiver(): {
  receiver: Receiver;
  answer: (info: { request: Request }) => Promise<Response>;
} {
  const received: ReceivedWebhook[] = [];
  return {
    receiver: { url: HOOKS_URL, received },
    async answer({ request }) {
      received.push({ headers: request.headers, bodyText: await request.text() });
      return new Response(null, { status: 204 });
    },
  };
}

/** Starts a receiver on a local port. */
export async function listenForWebhooks(): Promise<{
  receiver: Receiver;
  close: () => Promise<void>;
}> {
  const received: ReceivedWebhook[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const headers = new Headers(request.headers as Record<string, string>);
      received.push({ headers, bodyText: Buffer.concat(chunks).toString() });
      response.writeHead(204).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    receiver: { url: `http://127.0.0.1:${port}/webhooks`, received },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
