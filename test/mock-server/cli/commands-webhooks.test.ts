import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { spawnMock } from '../../support/mock-process.ts';
import { startReceiver, type Receiver } from '../../support/receiver.ts';
import { createSession, env, ofageMock, results, server, useServer } from './a-command-line.ts';

useServer();

describe('events', () => {
  it('lists the filtered events, oldest first', async () => {
    const first = await createSession();
    const second = await createSession();
    await server.control.settle(first, 'verified');
    const kinds = async (line: string) =>
      (await results(line)).map(({ event, sessionId }) => [event, sessionId]);
    const started = 'session.started';
    expect(await kinds('events')).toEqual([
      [started, first],
      [started, second],
      ['verification.completed', first],
    ]);
    expect(await kinds(`events --session ${second}`)).toEqual([[started, second]]);
    expect(await kinds(`events --kind ${started}`)).toEqual([
      [started, first],
      [started, second],
    ]);
    // The limit applies after the filter.
    expect(await kinds(`events --kind ${started} --limit 1`)).toEqual([[started, second]]);
    expect(await kinds('events --limit 1')).toEqual([['verification.completed', first]]);
  });

  it('--follow prints existing and new events once each, even after a reset, until the mock stops', async () => {
    await createSession();
    let stdout = '';
    const lines = async (count: number): Promise<string[]> => {
      while (stdout.split('\n').length <= count) await new Promise((r) => setTimeout(r, 20));
      return stdout.split('\n').slice(0, -1);
    };
    const mock = spawnMock(['events', '--follow', '--json'], { env });
    mock.child.stdout?.on('data', (text: string) => (stdout += text));
    await lines(1);
    // This is more than one page of events.
    for (let count = 0; count < 120; count += 1) await createSession();
    const seen = (await lines(121)).map((text) => (JSON.parse(text) as { id: string }).id);
    expect(new Set(seen).size).toBe(121);
    expect(seen).toEqual((await server.control.events({ limit: 1000 })).map(({ id }) => id));
    await server.control.reset();
    const again = await createSession();
    expect((await lines(122)).at(-1)).toContain(again);
    await server.close();
    expect(await mock.ended).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /^ofage-mock: Cannot list events: no mock is running at [^\n]*\n$/,
      ),
    });
  });
});

describe('with one endpoint,', () => {
  let receiver: Receiver;
  let endpointId: string;
  beforeEach(async () => {
    receiver = await startReceiver(204);
    const input = { url: receiver.url, events: ['verification.completed' as const] };
    ({ id: endpointId } = await server.control.createEndpoint(server.tenantId, input));
  });
  afterEach(() => receiver.close());

  it('deliveries lists deliveries with their results', async () => {
    await ofageMock('trigger verified');
    await receiver.waitFor(1);
    await vi.waitUntil(
      async () => (await server.control.deliveries())[0]?.status === 'delivered',
      10_000,
    );
    const { stdout } = await ofageMock('deliveries');
    expect(stdout).toMatch(
      /^CREATED .*URL\n.* verification.completed .* delivered +1 +204 +http:\S+\n$/,
    );
    expect(await results(`deliveries --endpoint ${endpointId}`)).toHaveLength(1);
    expect(await results('deliveries --endpoint nobody')).toEqual([]);
    expect(await results('deliveries --session nobody')).toEqual([]);
  });

  it('endpoints lists the endpoint with its health', async () => {
    expect((await ofageMock('endpoints')).stdout).toMatch(
      new RegExp(`^ENDPOINT .*\n${endpointId}  healthy +0 +0 +- +${receiver.url}\n$`),
    );
    await server.control.updateEndpoint(endpointId, { enabled: false });
    expect((await ofageMock('endpoints --tenant Demo')).code).toBe(1);
    expect((await ofageMock('endpoints')).stdout).toContain('disabled');
  });
});

describe('test, resume, redeliver and rotate-secret', () => {
  /** Creates an endpoint whose receiver responds with a status. */
  async function anEndpoint(status: number): Promise<{ id: string; receiver: Receiver }> {
    const receiver = await startReceiver(status);
    const input = { url: receiver.url, events: ['verification.failed' as const] };
    const { id } = await server.control.createEndpoint(server.tenantId, input);
    return { id, receiver };
  }

  it.each(['test', 'resume'])(
    '%s sends a test event and reports that it was accepted',
    async (command) => {
      const { id, receiver } = await anEndpoint(204);
      const [result] = await results(`${command} ${id}`);
      expect(result).toMatchObject({ success: true, httpStatus: 204 });
      expect(JSON.parse(receiver.received[0]!.body)).toMatchObject({ test: true });
      expect((await ofageMock(`${command} ${id}`)).stdout).toMatch(/^Response +204$/m);
      await receiver.close();
    },
  );

  it.each([
    ['test', 'test the endpoint'],
    ['resume', 'resume the endpoint'],
  ])('%s exits with 1 if the test event is not accepted', async (command, action) => {
    const { id, receiver } = await anEndpoint(500);
    expect(await ofageMock(`${command} ${id}`)).toEqual({
      code: 1,
      stdout: expect.stringMatching(/^Response +500\nTook +\d+ ms\nResumed +no\n$/),
      stderr: `ofage-mock: Cannot ${action}: it did not accept the test event: 500\n`,
    });
    await receiver.close();
  });

  it('redeliver fails for an endpoint that a day of failures has paused, and succeeds after resume', async () => {
    let status = 500;
    const merchant = createServer((_request, response) => response.writeHead(status).end());
    await new Promise<void>((resolve) => merchant.listen(0, '127.0.0.1', resolve));
    const { port } = merchant.address() as AddressInfo;
    const { id } = await server.control.createEndpoint(server.tenantId, {
      url: `http://localhost:${port}/hooks`,
      events: ['verification.failed'],
    });
    await ofageMock('trigger verification.failed');
    await ofageMock('clock advance 25h');
    expect((await ofageMock('endpoints')).stdout).toContain(' paused ');
    expect(await ofageMock(`redeliver ${id}`)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^ofage-mock: Cannot redeliver: (?!Cannot)/),
    });
    status = 204;
    expect((await ofageMock(`resume ${id}`)).stdout).toMatch(/^Resumed +yes$/m);
    expect(await results(`redeliver ${id}`)).toEqual([{ queued: 1, remaining: 0 }]);
    await vi.waitUntil(
      async () => (await server.control.deliveries())[0]?.status === 'delivered',
      10_000,
    );
    merchant.closeAllConnections();
    await new Promise((resolve) => merchant.close(resolve));
  });

  it('rotate-secret prints a generated secret', async () => {
    const { id, receiver } = await anEndpoint(204);
    const [endpoint] = await results(`rotate-secret ${id}`);
    expect(endpoint).toMatchObject({ id, secret: expect.stringMatching(/^whsec_[0-9a-f]{48}$/) });
    expect((await ofageMock(`rotate-secret ${id}`)).stdout).toMatch(
      /^Secret +whsec_[0-9a-f]{48}$/m,
    );
    await receiver.close();
  });

  it.each(['test', 'resume', 'redeliver', 'rotate-secret'])(
    '%s rejects an unknown id',
    async (command) => {
      const { code, stderr } = await ofageMock(`${command} nobody`);
      expect(code).toBe(1);
      expect(stderr).toMatch(/^ofage-mock: Cannot [a-z ]+: .*not found\n$/i);
    },
  );
});
