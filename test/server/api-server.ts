import { once } from 'node:events';
import { type IncomingHttpHeaders, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** A request that arrived over the socket. */
export interface Received {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  bodyText: string;
}

/** A real HTTP server on a loopback socket that simulates the API. It closes after the test. */
export interface ApiServer {
  baseUrl: string;
  received: Received[];
}

export async function startApiServer(
  answer: (response: ServerResponse, request: Received) => void,
): Promise<ApiServer> {
  const received: Received[] = [];
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const request = {
        method: incoming.method ?? '',
        path: incoming.url ?? '',
        headers: incoming.headers,
        bodyText: Buffer.concat(chunks).toString('utf8'),
      };
      received.push(request);
      answer(response, request);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { baseUrl: `http://127.0.0.1:${port}/api/v1`, received };
}

/** Answers every request with the same status and JSON body. */
export const json =
  (status: number, body: unknown, headers: Record<string, string> = {}) =>
  (response: ServerResponse): void => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify(body));
  };

/** Builds the error body of the interface specification. */
export const envelope = (statusCode: number, message: string | string[], more: object = {}) => ({
  statusCode,
  message,
  timestamp: '2026-01-02T03:04:05.678Z',
  path: '/api/v1/sessions/validate',
  ...more,
});
