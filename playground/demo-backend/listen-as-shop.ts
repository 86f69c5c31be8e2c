import type { AddressInfo } from 'node:net';
import { serve } from '@hono/node-server';
import type { Hono } from 'hono';
import { guardLocalServer } from 'ofage-mock/client';

/** The only address that the demo backend listens on. */
export const SHOP_HOST = '127.0.0.1';

/**
 * Maximum size of a request's body. Bytes. A webhook has texts of a create request, of at most 65,536 bytes,
 * and its own fields.
 */
const MAX_BODY_BYTES = 131_072;

interface Listening {
  readonly port: number;
  close(): Promise<void>;
}

/**
 * Listens on this computer, and only for it.
 * @param port The port to listen on. 0 chooses a free one.
 * @throws {Error} if the port cannot be used
 */
export function listenAsShop(backend: Hono, port: number): Promise<Listening> {
  const handle = (request: Request, env: object) => backend.fetch(request, env);
  return new Promise((resolve, reject) => {
    const server = serve({
      fetch: guardLocalServer(handle, { maxBodyBytes: MAX_BODY_BYTES }),
      hostname: SHOP_HOST,
      port,
      serverOptions: { headersTimeout: 10_000, requestTimeout: 30_000 },
    });
    server.once('error', reject);
    server.once('listening', () =>
      resolve({
        port: (server.address() as AddressInfo).port,
        close: () => new Promise((closed) => void server.close(() => closed())),
      }),
    );
  });
}
