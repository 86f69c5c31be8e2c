import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { unref } from '../store/clock.ts';
import { answerClientError, refuseUnreadable } from './node-refusals.ts';

export interface Listening {
  readonly port: number;
  /** Stops accepting connections. Closes idle ones at once, and all others after a second at most. */
  close(): Promise<void>;
}

export interface ListenOptions {
  readonly host: string;
  /** The port to listen on. 0 chooses a free one. */
  readonly port: number;
  /** True if the globals Request and Response may be replaced with cheaper ones. */
  readonly ownsProcess: boolean;
}

/** Time for running responses and streams to finish when the server closes. */
const GRACE_MS = 1000;

/**
 * Listens on an address of this machine.
 * @throws {Error} with a readable message if the port is in use or not permitted.
 */
export async function listen(
  fetch: (request: Request) => Promise<Response>,
  { host, port, ownsProcess }: ListenOptions,
): Promise<Listening> {
  const listener = getRequestListener(fetch, {
    // The globals are replaced only if the process belongs to this server, because the server may also run
    // inside a user's test process.
    overrideGlobalObjects: ownsProcess,
    errorHandler: refuseUnreadable,
  });
  const server = createServer(
    // The listener itself refuses a request without a Host, with the service's error envelope.
    { headersTimeout: 10_000, requestTimeout: 30_000, requireHostHeader: false },
    listener,
  );
  server.on('clientError', answerClientError);
  // A server may ignore an unknown expectation: RFC 9110, 10.1.1.
  server.on('checkExpectation', listener);
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) =>
      reject(new Error(toSentence(cause, host, port), { cause })),
    );
    server.listen(port, host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeIdleConnections();
        unref(setTimeout(() => server.closeAllConnections(), GRACE_MS));
      }),
  };
}

function toSentence(cause: NodeJS.ErrnoException, host: string, port: number): string {
  const reason =
    cause.code === 'EADDRINUSE'
      ? 'the port is in use; stop the process that uses it, or choose another port (0 chooses a free one)'
      : cause.code === 'EACCES'
        ? 'this user may not use the port; choose one above 1023'
        : cause.message;
  return `Cannot listen on ${host}:${port}: ${reason}`;
}
