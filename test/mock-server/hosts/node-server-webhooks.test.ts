import { join } from 'node:path';
import { verify } from '@octokit/webhooks-methods';
import { describe, expect, it } from 'vitest';
import { startMockServer } from '../../../mock-server/hosts/node-server.ts';
import { createSession } from '../../support/api.ts';
import { startReceiver, type Received } from '../../support/receiver.ts';
import { closers, folder, start, useServers } from './a-node-server.ts';

useServers();

describe('the webhooks of a mock', () => {
  it('arrive at a receiver on this machine, with a signature that @octokit/webhooks-methods accepts', async () => {
    const receiver = await startReceiver();
    closers.push(() => receiver.close());
    const server = await start({ forwardTo: receiver.url });
    const secret = server.webhookSecret!;
    expect(secret).toMatch(/^whsec_/);

    const created = await createSession(server, { externalUserId: 'café ☕' });
    await server.control.settle(created.body.sessionId, 'verified');
    await receiver.waitFor(2);

    expect(receiver.received.map(({ body }) => JSON.parse(body).event).sort()).toEqual([
      'session.started',
      'verification.completed',
    ]);
    for (const { method, path, headers, body } of receiver.received) {
      expect([method, path]).toEqual(['POST', '/hooks']);
      const signature = String(headers['x-ofage-signature']);
      expect(await verify(secret, body, signature)).toBe(true);
      const at = body.indexOf('caf');
      const changed = `${body.slice(0, at)}b${body.slice(at + 1)}`;
      expect(await verify(secret, changed, signature)).toBe(false);
    }
  });

  it('have endpoints on this machine if allowLoopbackWebhooks is set and not by default, but never at a private address', async () => {
    const receiver = await startReceiver();
    closers.push(() => receiver.close());
    const strict = await start();
    await expect(
      strict.control.createEndpoint(strict.tenantId, { url: receiver.url }),
    ).rejects.toThrow('url must use https');
    const open = await start({ allowLoopbackWebhooks: true });
    const { secret } = await open.control.createEndpoint(open.tenantId, { url: receiver.url });
    expect(secret).toMatch(/^whsec_/);
    await expect(
      open.control.createEndpoint(open.tenantId, { url: 'https://10.0.0.1/' }),
    ).rejects.toThrow('url must point to a public Internet address');
  });

  it('go to the shop’s server, but to no other URL on this machine', async () => {
    const receiver = await startReceiver();
    closers.push(() => receiver.close());
    const { origin } = new URL(receiver.url);
    const server = await start({ shopBackend: origin });
    const add = (url: string) => server.control.createEndpoint(server.tenantId, { url });
    await expect(add('http://127.0.0.1:9/x')).rejects.toThrow('url must use https');
    await expect(add('https://127.0.0.1/')).rejects.toThrow('must point to a public');
    const { id } = await add(`${origin}/shop/lab/receiver`);
    expect(await server.control.testEndpoint(id)).toMatchObject({ success: true });
    // The URL is checked again when an event is sent.
    const created = await createSession(server);
    expect(created.status).toBe(201);
    await receiver.waitFor(3);
  });

  it.each([
    ['a local URL allows loopback, as --help says', 'http://localhost:9/hooks', true],
    // No event occurs here, so nothing is sent.
    ['a public URL does not allow loopback', 'https://1.1.1.1/hooks', false],
  ])(
    'may go to a local endpoint only if forwardTo is local: %s',
    async (_what, forwardTo, isOpen) => {
      const server = await start({ forwardTo });
      const adding = server.control.createEndpoint(server.tenantId, {
        url: 'http://127.0.0.1:9/x',
      });
      await (isOpen ? adding : expect(adding).rejects.toThrow('url must use https'));
    },
  );

  it('follow the shop to a different port, and keep their secret when they are also forwarded', async () => {
    const data = join(folder, 'moving.sqlite');
    const first = await startMockServer({ port: 0, data, shopBackend: 'http://localhost:4011' });
    await first.close();
    const options = { shopBackend: 'http://localhost:4099', forwardTo: 'http://localhost:3000/h' };
    const second = await start({ data, ...options });
    expect(second.webhookSecret).toBe(first.webhookSecret);
    const endpoints = await second.control.endpoints(second.tenantId);
    expect(endpoints.map(({ url }) => url)).toEqual([
      'http://localhost:4099/shop/webhooks/ofage',
      'http://localhost:3000/h',
    ]);
  });

  it('are signed with the reported secret after a restart, even if the secret of an earlier endpoint was rotated', async () => {
    const receiver = await startReceiver();
    closers.push(() => receiver.close());
    const options = { data: join(folder, 'rotated.sqlite'), forwardTo: receiver.url };
    const first = await startMockServer({ port: 0, ...options, forwardTo: 'http://127.0.0.1:9/' });
    await first.close();
    const second = await startMockServer({ port: 0, ...options });
    const [older] = await second.control.endpoints(second.tenantId);
    const { secret } = await second.control.rotateSecret(older!.id);
    await second.close();
    const third = await start(options);
    expect(third.webhookSecret).toBe(secret);
    await third.control.trigger({ name: 'verified' });
    await receiver.waitFor(1);
    const [{ body, headers }] = receiver.received as [Received];
    expect(await verify(third.webhookSecret!, body, String(headers['x-ofage-signature']))).toBe(
      true,
    );
  });

  it('have an endpoint for the shop that is enabled only while the shop runs', async () => {
    const data = join(folder, 'on-and-off.sqlite');
    const shopBackend = 'http://localhost:4011';
    const seen: boolean[] = [];
    for (const options of [{ shopBackend }, {}, { shopBackend }]) {
      const server = await startMockServer({ port: 0, data, ...options });
      const endpoints = await server.control.endpoints(server.tenantId);
      expect(endpoints).toHaveLength(1);
      seen.push(endpoints[0]!.enabled);
      await server.close();
    }
    expect(seen).toEqual([true, false, true]);
  });

  it('keep their URLs and secrets after a reset', async () => {
    const receiver = await startReceiver();
    closers.push(() => receiver.close());
    const shopBackend = 'http://127.0.0.1:9';
    const server = await start({ shopBackend, forwardTo: receiver.url });
    await server.control.reset();
    expect(await server.control.endpoints(server.tenantId)).toHaveLength(2);
    const created = await createSession(server);
    expect(created.status).toBe(201);
    await receiver.waitFor(1);
    const [{ body, headers }] = receiver.received as [Received];
    const signature = String(headers['x-ofage-signature']);
    expect(await verify(server.webhookSecret!, body, signature)).toBe(true);
  });

  it('are not forwarded to a private URL', async () => {
    await expect(
      startMockServer({ port: 0, forwardTo: 'http://169.254.169.254/' }),
    ).rejects.toThrow(
      /^Cannot forward webhooks to "http:\/\/169.254.169.254\/": url must use https$/,
    );
  });
});
