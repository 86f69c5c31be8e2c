import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { answerClientError, refuseUnreadable } from './node-refusals.ts';

export interface Listening {
  readonly port: number;
  /** Stops accepting, ends idle connections at once and busy ones after their answer. */
  close(): Promise<void>;
}

export interface ListenOptions {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** True if the globals Request and Response may be replaced by cheaper ones. */
  readonly ownsProcess: boolean;
}

/** Time for running responses and streams to finish when the server closes. */
const GRACE_MS = 1000;

/**
 * Listens on an address of this machine.
 * @throws {Error} with a sentence when the port is in use or may not be used.
 */
export async function listen(
  fetch: (request: Request) => Promise<Response>,
  { host, port, ownsProcess }: ListenOptions,
): Promise<Listening> {
  const listener = getRequestListener(fetch, {
    // Elsewhere the globals stay as they are: this also runs inside other people's test processes.
    overrideGlobalObjects: ownsProcess,
    errorHandler: refuseUnreadable,
  });
  const server = createServer(
    // A request without a Host is refused by the listener, in the service's own form.
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
        setTimeout(() => server.closeAllConnections(), GRACE_MS).unref();
      }),
  };
}

function toSentence(cause: NodeJS.ErrnoException, host: string, port: number): string {
  const reason =
    cause.code === 'EADDRINUSE'
      ? 'the port is in use; stop what uses it, or choose another port (0 takes a free one)'
      : cause.code === 'EACCES'
        ? 'this user may not use the port; choose one above 1023'
        : cause.message;
  return `Cannot listen on ${host}:${port}: ${reason}`;
}
