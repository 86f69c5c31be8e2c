/** The webhook endpoints that a start of the server adds, moves or disables. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type MockServerOptions, startMockServer } from '../../../mock-server/hosts/node-server.ts';

let folder: string;
let closers: (() => Promise<void>)[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ofage-targets-'));
});

afterEach(async () => {
  for (const close of closers) await close();
  closers = [];
  rmSync(folder, { recursive: true });
});

async function start(options: MockServerOptions) {
  const server = await startMockServer({ port: 0, ...options });
  closers.push(() => server.close());
  return server;
}

it('webhooks follow the shop to a different port, and keep their secret when they are also forwarded', async () => {
  const data = join(folder, 'moving.sqlite');
  const first = await start({ data, shopBackend: 'http://localhost:4011' });
  await first.close();
  const options = { shopBackend: 'http://localhost:4099', forwardTo: 'http://localhost:3000/h' };
  const second = await start({ data, ...options });
  expect(second.webhookSecret).toBe(first.webhookSecret);
  const endpoints = await second.control.endpoints(second.tenantId);
  expect(endpoints.map(({ url }) => url)).toEqual([
    'http://localhost:4099/shop/webhooks/ofage?ofage_demo',
    'http://localhost:3000/h',
  ]);
});

it('there is an endpoint for the shop that is enabled only while the shop runs', async () => {
  const data = join(folder, 'on-and-off.sqlite');
  const shopBackend = 'http://localhost:4011';
  const seen: boolean[] = [];
  for (const options of [{ shopBackend }, {}, { shopBackend }]) {
    const server = await start({ data, ...options });
    const endpoints = await server.control.endpoints(server.tenantId);
    expect(endpoints).toHaveLength(1);
    seen.push(endpoints[0]!.enabled);
    await server.close();
  }
  expect(seen).toEqual([true, false, true]);
});

it.each<[start: string, options: object]>([
  ['without the demo shop', {}],
  ['with the demo shop', { shopBackend: 'http://127.0.0.1:4011' }],
  [
    'with the demo shop and an address to forward to',
    {
      shopBackend: 'http://127.0.0.1:4011',
      forwardTo: 'http://127.0.0.1:3000/shop/webhooks/ofage',
    },
  ],
])(
  "an endpoint of a copy of the shop's server stays as it is at a start %s",
  async (_start, options) => {
    const data = join(folder, 'copies.sqlite');
    const copies = ['localhost', '127.0.0.1'].map(
      (host) => `http://${host}:3000/shop/webhooks/ofage`,
    );
    const first = await start({ data, allowLoopbackWebhooks: true });
    for (const url of copies) await first.control.createEndpoint(first.tenantId, { url });
    await first.close();
    for (let n = 0; n < 2; n += 1) {
      const next = await start({
        data,
        allowLoopbackWebhooks: true,
        ...options,
      });
      const endpoints = await next.control.endpoints(next.tenantId);
      await next.close();
      const demo = 'http://127.0.0.1:4011/shop/webhooks/ofage?ofage_demo';
      expect(endpoints.map(({ url }) => url)).toEqual([
        ...copies,
        ...('shopBackend' in options ? [demo] : []),
      ]);
      expect(endpoints.every(({ enabled }) => enabled)).toBe(true);
    }
  },
);
