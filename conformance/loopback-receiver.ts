import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { arrayBuffer } from 'node:stream/consumers';
import type { HandleWebhook, Receiver } from './inbox.ts';

/**
 * Creates a receiver on this computer.
 * @param publicUrl An address on the Internet that forwards to the receiver, for a service that is not on
 *   this computer.
 * @param port The port. 0 chooses a free one.
 */
export async function createLoopbackReceiver(publicUrl?: string, port = 0): Promise<Receiver> {
  let handle: HandleWebhook = async () => ({ status: 503 });
  const server = createServer((request, response) => {
    void arrayBuffer(request)
      .then((bytes) =>
        handle({
          url: request.url ?? '/',
          headers: new Headers(toPairs(request)),
          bytes: new Uint8Array(bytes),
        }),
      )
      .then(({ status, headers }) => response.writeHead(status, { ...headers }).end());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const { port: chosen } = server.address() as AddressInfo;
  return {
    url: publicUrl ?? `http://127.0.0.1:${chosen}`,
    ...(publicUrl === undefined && { otherUrl: `http://localhost:${chosen}` }),
    async listen(handleWebhook) {
      handle = handleWebhook;
      return () =>
        new Promise((resolve) => {
          server.closeAllConnections();
          server.close(() => resolve());
        });
    },
  };
}

function toPairs({ headers }: IncomingMessage): [string, string][] {
  return Object.entries(headers).map(([name, value]) => [name, [value].flat().join(', ')]);
}
