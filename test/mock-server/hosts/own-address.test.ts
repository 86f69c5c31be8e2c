import { createServer } from 'node:http';
import { startMockServer } from 'ofage-mock/node';
import { expect, it, onTestFinished } from 'vitest';
import { findFreePort } from '../../support/free-port.ts';
import { listen } from '../../support/listen.ts';

async function start(options: Parameters<typeof startMockServer>[0] = {}) {
  const server = await startMockServer({ port: 0, allowLoopbackWebhooks: true, ...options });
  onTestFinished(() => server.close());
  return { server, port: Number(new URL(server.apiBase).port) };
}

/** Starts a receiver that redirects every request, and counts them. */
async function redirectTo(location: string) {
  const seen: string[] = [];
  const receiver = createServer((request, response) => {
    seen.push(request.url ?? '');
    request.resume();
    response.writeHead(307, { location }).end();
  });
  const port = await listen(receiver);
  return { seen, url: `http://127.0.0.1:${port}/hook` };
}

const namesOf = (port: number): string[] => [
  `http://localhost:${port}/`,
  `http://LOCALHOST.:${port}/`,
  `http://127.0.0.1:${port}/control/v1/reset`,
  `http://127.8.9.1:${port}/`,
  `http://2130706433:${port}/`,
  `http://0x7f.1:${port}/`,
  `http://[::1]:${port}/`,
  `http://[0:0:0:0:0:0:0:1]:${port}/`,
  `https://localhost:${port}/`,
];

it('an endpoint at the mock’s own port is refused, under every name of this computer', async () => {
  const { server, port } = await start();
  const { control, tenantId } = server;
  for (const url of namesOf(port)) {
    const adding = control.createEndpoint(tenantId, { url });
    await expect(adding, url).rejects.toThrow('url must not lead to the mock itself');
  }
  const { url } = await redirectTo('http://127.0.0.1/');
  const { id } = await control.createEndpoint(tenantId, { url });
  const changing = control.updateEndpoint(id, { url: `http://localhost:${port}/` });
  await expect(changing).rejects.toThrow('url must not lead to the mock itself');
});

it('a webhook that is redirected to the mock’s own port does not reach it', async () => {
  const { server, port } = await start();
  const { control, tenantId } = server;
  await control.createTenant({ name: 'Lost at a reset' });
  for (const target of namesOf(port).filter((url) => url.startsWith('http:'))) {
    const location = new URL('/control/v1/reset', target).href;
    const receiver = await redirectTo(location);
    const { id } = await control.createEndpoint(tenantId, { url: receiver.url });
    const result = await control.testEndpoint(id);
    expect(result, target).toMatchObject({ success: false, error: 'destination_not_public' });
    expect(receiver.seen).toEqual(['/hook']);
  }
  expect(await control.tenants()).toHaveLength(2);
});

it('forwarding to the mock’s own port is refused at the start', async () => {
  const port = await findFreePort();
  await expect(startMockServer({ port, forwardTo: `http://localhost:${port}/x` })).rejects.toThrow(
    `Cannot forward webhooks to "http://localhost:${port}/x": url must not lead to the mock itself`,
  );
});

it('a receiver on another port is reached, also by a redirect', async () => {
  const { server } = await start();
  const seen: string[] = [];
  const receiver = createServer((request, response) => {
    seen.push(request.url ?? '');
    request.resume();
    response.writeHead(204).end();
  });
  const { url } = await redirectTo(`http://localhost:${await listen(receiver)}/there`);
  const { id } = await server.control.createEndpoint(server.tenantId, { url });
  expect(await server.control.testEndpoint(id)).toMatchObject({ success: true });
  expect(seen).toEqual(['/there']);
});
