import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
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
    void readBytes(request)
      .then((bytes) =>
        handle({ url: request.url ?? '/', headers: new Headers(toPairs(request)), bytes }),
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

async function readBytes(request: IncomingMessage): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of request) chunks.push(chunk as Uint8Array);
  const bytes = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0));
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.length;
  }
  return bytes;
}

function toPairs({ headers }: IncomingMessage): [string, string][] {
  return Object.entries(headers).map(([name, value]) => [name, [value].flat().join(', ')]);
}
