// Run by webhooks.ts. Starts TLS receivers that read each request and respond with 204.
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';

const { cert, key, count } = JSON.parse(process.argv[2] ?? '{}') as {
  cert: string;
  key: string;
  count: number;
};
const ports = await Promise.all(
  Array.from({ length: count }, async () => {
    const server = createServer({ cert, key }, (request, response) => {
      request.resume().on('end', () => response.writeHead(204).end());
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return (server.address() as AddressInfo).port;
  }),
);
process.send?.(ports);
