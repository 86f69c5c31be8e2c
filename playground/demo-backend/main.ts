// The shop's server as a separate process. Settings come from the environment, as they would in production:
// OFAGE_SECRET_KEY, OFAGE_PUBLISHABLE_KEY, OFAGE_WEBHOOK_SECRET, OFAGE_API_BASE, PORT. OFAGE_CONTROL_BASE
// exists only for the mock's doctor.
import type { HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { createControlClient } from 'ofage-mock/client';
import { createDemoBackend } from './demo-backend.ts';
import { listenAsShop, SHOP_HOST } from './listen-as-shop.ts';
import { createMemoryLabStore } from './lab-store.ts';
import { createObserve } from './observe.ts';
import { createMemoryStore } from '../reference-backend/store.ts';

const PORT = Number(process.env['PORT'] ?? 4011);
const PRODUCTION_BASE = 'https://api.ofage.example/api/v1';

listenAsShop(createBackend(), PORT).then(
  ({ port }) => console.log(`The demo shop's server listens on http://${SHOP_HOST}:${port}`),
  (error: NodeJS.ErrnoException) => {
    const reason = error.code === 'EADDRINUSE' ? 'the port is in use' : error.message;
    fail(`Cannot start the demo shop's server: ${reason}`);
  },
);

// The parent process holds the other end of stdin, which closes even if that process is killed.
process.stdin.on('close', stop).on('end', stop).resume();
process.on('SIGTERM', stop);
process.on('SIGINT', stop);

function createBackend() {
  try {
    const controlBase = process.env['OFAGE_CONTROL_BASE'];
    return createDemoBackend({
      secretKey: process.env['OFAGE_SECRET_KEY'] ?? '',
      publishableKey: process.env['OFAGE_PUBLISHABLE_KEY'] ?? '',
      webhookSecret: process.env['OFAGE_WEBHOOK_SECRET'] ?? '',
      apiBase: process.env['OFAGE_API_BASE'] ?? PRODUCTION_BASE,
      fetch: (url, init) => fetch(url, init),
      store: createMemoryStore(),
      labStore: createMemoryLabStore(),
      publicUrl: `http://${SHOP_HOST}:${PORT}`,
      breakConnection,
      ...(controlBase && {
        observe: createObserve(createControlClient({ baseUrl: controlBase }).addObservation),
      }),
    });
  } catch (error) {
    return fail(error instanceof Error ? error.message : String(error));
  }
}

/** Resets the connection without a response, like a server that crashes. */
function breakConnection(env: unknown): Response {
  const { outgoing } = env as HttpBindings;
  outgoing.socket?.resetAndDestroy();
  return RESPONSE_ALREADY_SENT;
}

function stop(): void {
  process.exit(0);
}

function fail(message: string): never {
  console.error(message);
  process.exit(1);
}
