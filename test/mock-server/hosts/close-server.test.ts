import { Agent, request as sendRequest } from 'node:http';
import { connect } from 'node:net';
import { onTestFinished, describe, expect, it } from 'vitest';
import { type MockServer, startMockServer } from '../../../mock-server/hosts/node-server.ts';
import { createControlClient } from 'ofage-mock/client';
import { jsonHeaders, RETURN_URL } from '../../support/api.ts';
import { startReceiver, type Receiver } from '../../support/receiver.ts';

interface Opened {
  readonly server: MockServer;
  /** A receiver that never answers. */
  readonly receiver: Receiver;
}

async function open(): Promise<Opened> {
  const receiver = await startReceiver(() => {});
  onTestFinished(() => receiver.close());
  const server = await startMockServer({ port: 0, allowLoopbackWebhooks: true });
  onTestFinished(() => server.close());
  return { server, receiver };
}

async function addEndpoint({ server, receiver }: Opened): Promise<string> {
  return (await server.control.createEndpoint(server.tenantId, { url: receiver.url })).id;
}

const client = ({ server }: Opened) => createControlClient({ baseUrl: server.controlBase });

/** Sends a request on a connection that is kept. */
function post({ server }: Opened, onResponse = (): void => {}): void {
  const agent = new Agent({ keepAlive: true });
  onTestFinished(() => agent.destroy());
  const request = sendRequest(`${server.apiBase}/sessions/create`, {
    agent,
    method: 'POST',
    headers: jsonHeaders(server.secretKey),
  });
  request.on('response', (response) => {
    response.resume();
    onResponse();
  });
  request.on('error', () => {});
  request.end(JSON.stringify({ returnUrl: RETURN_URL }));
}

/** What a server that closes may have to wait for. Each starts it, and resolves when it is in progress. */
const WAITS: Record<string, (opened: Opened) => Promise<unknown>> = {
  async 'a webhook is in flight'(opened) {
    await addEndpoint(opened);
    await opened.server.control.trigger({ name: 'verified' });
    await opened.receiver.waitFor(1);
  },
  async 'a program moves the clock'(opened) {
    await addEndpoint(opened);
    await opened.server.clock.freeze();
    await opened.server.control.trigger({ name: 'verified' });
    void client(opened)
      .clock.advance(3_600_000)
      .catch(() => {});
    await opened.receiver.waitFor(1);
  },
  async 'a program tests an endpoint'(opened) {
    const endpointId = await addEndpoint(opened);
    void client(opened)
      .testEndpoint(endpointId)
      .catch(() => {});
    await opened.receiver.waitFor(1);
  },
  async 'a slow response keeps a client waiting'(opened) {
    const { control } = opened.server;
    await control.addFault({ operation: 'create', fault: 'slow' });
    post(opened);
    while ((await control.faults()).length > 0) await new Promise((done) => setTimeout(done, 5));
  },
  async 'a page listens to the stream'(opened) {
    const response = await client(opened).stream();
    const reader = response.body?.getReader();
    await reader?.read();
    reader?.closed.catch(() => {});
  },
  'a client keeps its connection': (opened) =>
    new Promise<void>((resolve) => post(opened, resolve)),
  'a client has sent half a request': (opened) =>
    new Promise<void>((resolve) => {
      const socket = connect(Number(new URL(opened.server.apiBase).port), '127.0.0.1');
      socket.on('error', () => {});
      socket.write('POST /api/v1/sessions/create HTTP/1.1\r\nHost: 127.0', () => resolve());
    }),
};

describe('the server closes within a second', () => {
  it.each(Object.entries(WAITS))('while %s', async (_what, begin) => {
    const opened = await open();
    await begin(opened);
    const startedAtMs = performance.now();
    await opened.server.close();
    expect(performance.now() - startedAtMs).toBeLessThan(1_000);
  });
});
