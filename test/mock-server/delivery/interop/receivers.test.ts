import { execFileSync, spawn } from 'node:child_process';
import { createHmac, timingSafeEqual } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { verify } from '@octokit/webhooks-methods';
import express from 'express';
import { createMockService } from 'ofage/mock';
import { createWebhookHandler } from 'ofage/server';
import { afterEach, describe, expect, it } from 'vitest';
import { createNodeSender } from '../../../../mock-server/send/node-sender.ts';
import { startFaultyReceiver } from '../../../support/faulty-receiver.ts';
import { hasOpenssl } from '../../../support/tls.ts';

const SECRET = 'whsec_interop';
const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

/** Delivers one event with non-ASCII characters to a URL on this machine. */
async function deliverTo(url: string) {
  const service = createMockService({
    clock: { now: Date.UTC(2026, 0, 1), frozen: true },
    allowLoopbackWebhooks: true,
    sender: createNodeSender({ allowLoopback: true }),
    endpoints: [{ url, secret: SECRET, events: ['verification.completed'] }],
  });
  closers.push(() => service.close());
  const { id } = await service.control.trigger({ name: 'verified', externalUserId: 'Zoë "☕"' });
  await service.clock.advance(0);
  const [delivery] = await service.control.deliveries({ sessionId: id });
  const [event] = await service.control.events({ sessionId: id }).then((all) => all.slice(1));
  return { delivery, attempt: delivery?.attempts[0], body: event?.body ?? '', service };
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => {
    server.close();
    server.closeAllConnections();
  });
  return (server.address() as AddressInfo).port;
}

/** Sends the same request again, unchanged or tampered with. */
async function repeat(url: string, body: string, signature: string, tampered = false) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-ofage-signature': signature },
    body: tampered ? body.replace('verified":true', 'verified":false') : body,
  });
  await response.text();
  return response.status;
}

const sign = (body: string): string =>
  `sha256=${createHmac('sha256', SECRET).update(body).digest('hex')}`;

describe('third-party receivers', () => {
  it('Express with express.raw() accepts our webhooks and rejects changed ones', async () => {
    const app = express();
    app.post('/hook', express.raw({ type: 'application/json' }), (request, response) => {
      const given = Buffer.from(request.get('x-ofage-signature') ?? '');
      const made = Buffer.from(
        `sha256=${createHmac('sha256', SECRET)
          .update(request.body as Buffer)
          .digest('hex')}`,
      );
      const isRight = given.length === made.length && timingSafeEqual(given, made);
      response.sendStatus(isRight ? 204 : 401);
    });
    const url = `http://127.0.0.1:${await listen(createServer(app))}/hook`;
    const { attempt, body } = await deliverTo(url);
    expect(attempt).toMatchObject({ outcome: 'ok', httpStatus: 204 });
    expect(await repeat(url, body, sign(body))).toBe(204);
    expect(await repeat(url, body, sign(body), true)).toBe(401);
  });

  it('@octokit/webhooks-methods accepts our webhooks and rejects changed ones', async () => {
    const receiver = await startFaultyReceiver();
    closers.push(() => receiver.close());
    await deliverTo(`http://127.0.0.1:${receiver.port}/hook`);
    const [{ body, headers } = { body: '', headers: {} }] = receiver.requests;
    const signature = (headers as Record<string, string>)['x-ofage-signature'] ?? '';
    expect(await verify(SECRET, body.toString(), signature)).toBe(true);
    expect(await verify(SECRET, body.toString().replace('true', 'false'), signature)).toBe(false);
    expect(await verify(`${SECRET}!`, body.toString(), signature)).toBe(false);
  });

  it.skipIf(!hasOpenssl())('openssl computes the signature that we send', async () => {
    const receiver = await startFaultyReceiver();
    closers.push(() => receiver.close());
    await deliverTo(`http://127.0.0.1:${receiver.port}/hook`);
    const [received] = receiver.requests;
    const out = execFileSync('openssl', ['dgst', '-sha256', '-hmac', SECRET], {
      input: received?.body,
    });
    expect(received?.headers['x-ofage-signature']).toBe(
      `sha256=${out.toString().trim().split(' ').at(-1)}`,
    );
  });

  const webhook = findWebhook();
  it.skipIf(webhook === null)(
    'adnanh/webhook accepts our webhooks and rejects changed ones',
    async () => {
      const folder = mkdtempSync(join(tmpdir(), 'ofage-webhook-'));
      closers.push(() => rmSync(folder, { recursive: true, force: true }));
      const file = join(folder, 'hooks.json');
      const source = { source: 'header', name: 'x-ofage-signature' };
      const match = { type: 'payload-hmac-sha256', secret: SECRET, parameter: source };
      writeFileSync(
        file,
        JSON.stringify([
          {
            id: 'ofage',
            'execute-command': '/bin/true',
            'trigger-rule': { match },
            'trigger-rule-mismatch-http-response-code': 401,
          },
        ]),
      );
      const port = await freePort();
      const child = spawn(
        webhook ?? '',
        ['-hooks', file, '-ip', '127.0.0.1', '-port', String(port)],
        { stdio: 'ignore' },
      );
      closers.push(() => child.kill());
      const url = `http://127.0.0.1:${port}/hooks/ofage`;
      await isUp(url);
      const { attempt, body } = await deliverTo(url);
      expect(attempt).toMatchObject({ outcome: 'ok', httpStatus: 200 });
      expect(await repeat(url, body, sign(body))).toBe(200);
      expect(await repeat(url, body, sign(body), true)).not.toBe(200);
    },
  );
});

describe('our webhook handler', () => {
  it('handles each event once, even if it arrives twice or out of order', async () => {
    const handled: string[] = [];
    const handler = createWebhookHandler({
      secret: SECRET,
      onEvent: (event) => void handled.push(event.data.sessionId),
    });
    const receiver = await startFaultyReceiver({
      onEvent: ({ body, headers }) =>
        handler(
          new Request('http://localhost/hook', {
            method: 'POST',
            headers,
            body: new Uint8Array(body),
          }),
        ),
    });
    closers.push(() => receiver.close());
    for (const kind of ['duplicate', 'reorder'] as const) {
      receiver.behave({ kind });
      handled.length = 0;
      const { service } = await deliverTo(`http://127.0.0.1:${receiver.port}/hook`);
      await service.control.trigger({ name: 'verified' });
      await service.clock.advance(0);
      await expect.poll(() => handled.length).toBe(2);
      expect(new Set(handled).size).toBe(2);
    }
    expect(receiver.handled.length).toBe(6);
  });
});

describe('a receiver that breaks connections', () => {
  it('is sent an event again until it confirms the event', async () => {
    const receiver = await startFaultyReceiver();
    closers.push(() => receiver.close());
    receiver.behave(
      { kind: 'reset', isHandled: false },
      { kind: 'status', status: 500 },
      { kind: 'reset', isHandled: true },
      { kind: 'endless' },
    );
    const { service, delivery } = await deliverTo(`http://127.0.0.1:${receiver.port}/hook`);
    await service.clock.advance(120_000);
    const [after] = await service.control.deliveries({ sessionId: delivery?.sessionId });
    expect(after?.attempts.map(({ error, httpStatus }) => error ?? httpStatus)).toEqual([
      'reset',
      500,
      'reset',
      200,
    ]);
    expect(after?.status).toBe('delivered');
    // The first handling was never confirmed, so the event was sent again. Delivery is at least once.
    expect(receiver.handled).toHaveLength(2);
    expect(new Set(receiver.requests.map(({ body }) => body.toString())).size).toBe(1);
  });
});

function findWebhook(): string | null {
  try {
    return execFileSync('sh', ['-c', 'command -v webhook']).toString().trim();
  } catch {
    console.warn('Skipped adnanh/webhook: there is no program "webhook" (Debian package webhook)');
    return null;
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function isUp(url: string): Promise<void> {
  for (let left = 100; left > 0; left -= 1) {
    const isThere = await fetch(url, { method: 'POST' }).then(
      () => true,
      () => false,
    );
    if (isThere) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`No server responds at ${url}`);
}
