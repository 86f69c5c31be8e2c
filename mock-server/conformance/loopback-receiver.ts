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
    // A request that was not read to its end loses its socket.
    const { socket } = request;
    void readWebhook(request)
      .then(async (bytes) => {
        if (bytes === null) {
          socket.destroy();
          return;
        }
        const webhook = {
          url: request.url ?? '/',
          headers: new Headers(toPairs(request)),
          bytes,
        };
        const { status, headers } = await handle(webhook);
        response.writeHead(status, { ...headers }).end();
        // A check that cannot answer fails for another reason.
      })
      .catch(() => socket.destroy());
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

/** The service's limit for a create request is 64 kB, so no webhook is as large as this. Bytes. */
const MAX_BODY_BYTES = 1_048_576;

/**
 * Reads a body. Returns null if it is too large or ends early. Anyone may send requests to a public URL.
 */
async function readWebhook(request: IncomingMessage): Promise<Uint8Array | null> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of request as AsyncIterable<Uint8Array>) {
      size += chunk.byteLength;
      if (size > MAX_BODY_BYTES) return null;
      chunks.push(chunk);
    }
  } catch {
    return null;
  }
  return new Uint8Array(Buffer.concat(chunks));
}

function toPairs({ headers }: IncomingMessage): [string, string][] {
  return Object.entries(headers).map(([name, value]) => [name, [value].flat().join(', ')]);
}
