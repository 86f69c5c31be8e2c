import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type MockServer, startMockServer } from '../../../mock-server/hosts/node-server.ts';
import { SCENARIOS } from '../../../mock-server/api/scenarios.ts';
import { createSession as createOn } from '../../support/api.ts';
import { spawnMock } from '../../support/mock-process.ts';
import { type Receiver, startReceiver } from '../../support/receiver.ts';
import { type Said, type } from './a-terminal.ts';

let server: MockServer;
let env: Record<string, string>;

const ofageMock = (line: string): Promise<Said> => type(line.split(' '), { env });

/** Runs a command that must succeed, and parses its results, one JSON value per line. */
async function results<T = any>(line: string): Promise<T[]> {
  const { code, stdout, stderr } = await ofageMock(`${line} --json`);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout
    .split('\n')
    .slice(0, -1)
    .map((text) => JSON.parse(text) as T);
}

async function createSession(externalUserId?: string): Promise<string> {
  const { body } = await createOn(server, { externalUserId });
  return body.sessionId;
}

beforeEach(async () => {
  server = await startMockServer({ port: 0, allowLoopbackWebhooks: true });
  env = { OFAGE_MOCK_URL: new URL(server.apiBase).origin };
});
afterEach(() => server.close());

describe('scenarios', () => {
  it('lists the catalogue, even if no mock is running', async () => {
    await server.close();
    expect(await results('scenarios')).toEqual([...SCENARIOS]);
  });
});

describe('the commands', () => {
  it.each(['trigger verified', 'clock', 'sessions', 'events', 'changes', 'test x'])(
    '%s explains in one line how to start a mock if none is running',
    async (line) => {
      await server.close();
      const { code, stdout, stderr } = await ofageMock(line);
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toMatch(
        /^ofage-mock: Cannot [a-z ]+: no mock is running at http:\/\/127.0.0.1:\d+; start one with ofage-mock start --port \d+, or set its address with --url\n$/,
      );
    },
  );

  it.each([
    ['trigger', 'trigger takes SCENARIO|EVENT; SCENARIO|EVENT is missing'],
    ['trigger veriffied', 'Unknown scenario or event "veriffied"; did you mean verified?'],
    ['trigger verified --age 20', '--age must be an integer from 25 to 99, got "20"'],
    ['trigger verified --mode L3', '--mode must be one of L1, L2, got "L3"'],
    ['settle x', 'settle takes SESSION and SCENARIO; SCENARIO is missing'],
    ['settle x session.started', 'Unknown scenario "session.started"'],
    ['clock advnce 1m', 'Unknown clock action "advnce"; did you mean advance?'],
    ['clock advance', 'clock advance takes LENGTH; LENGTH is missing'],
    ['events --kind verified', '--kind must be one of session.started, '],
    ['sessions --limit 0', '--limit must be an integer from 1 to 1000000, got "0"'],
    ['sessions --url nowhere/x', '--url must be the address of a mock'],
    ['sessions --port 1', "Unknown option '--port'"],
    ['sesions', 'Unknown command "sesions"; did you mean sessions?'],
  ])('%s is rejected with one line and exit code 2', async (line, sentence) => {
    const { code, stdout, stderr } = await ofageMock(line);
    expect({ code, stdout, lines: stderr.split('\n').length }).toEqual({
      code: 2,
      stdout: '',
      lines: 2,
    });
    expect(stderr).toContain(`ofage-mock: ${sentence}`);
    expect(stderr).toMatch(/ \(see ofage-mock (\w+ )?--help\)\n$/);
  });

  it('--url overrides OFAGE_MOCK_URL', async () => {
    expect(
      await type(['clock', '--url', env['OFAGE_MOCK_URL']!], {
        env: { OFAGE_MOCK_URL: 'http://127.0.0.1:9' },
      }),
    ).toMatchObject({ code: 0 });
  });

  it('sessions uses colours only on a terminal, and never with NO_COLOR', async () => {
    await createSession();
    const coloured = async (options: object, extra = {}): Promise<boolean> =>
      (await type(['sessions'], { env: { ...env, ...extra }, ...options })).stdout.includes(
        '\u001b',
      );
    expect(await coloured({ isTTY: true })).toBe(true);
    expect(await coloured({ isTTY: false })).toBe(false);
    expect(await coloured({ isTTY: true }, { NO_COLOR: '1' })).toBe(false);
  });
});

describe('trigger', () => {
  it.each([
    ['failed_image_quality', { status: 'failed', reason: 'image_quality' }],
    ['session.timeout', { status: 'expired', reason: null }],
  ])('%s creates a session that has ended so', async (name, ended) => {
    const [{ session }] = (await results(`trigger ${name}`)) as [{ session: object }];
    expect(session).toMatchObject(ended);
  });

  it('creates the session with the given options', async () => {
    const [{ session }] = (await results('trigger verified --user anna --mode L2 --age 40')) as [
      any,
    ];
    expect(session).toMatchObject({
      externalUserId: 'anna',
      verificationMode: 'L2',
      challengeAge: 40,
    });
  });

  it('creates the session in the account that is given by name or id', async () => {
    const { id } = await server.control.createTenant({ name: 'Wine' });
    await server.control.createKeyPair(id);
    for (const wanted of ['Wine', id]) {
      const [{ session }] = (await results(`trigger verified --tenant ${wanted}`)) as [any];
      expect(session.tenantId).toBe(id);
    }
  });

  it('sends the webhooks, and prints their addresses', async () => {
    const receiver = await startReceiver();
    try {
      await server.control.createEndpoint(server.tenantId, { url: receiver.url });
      const { code, stdout } = await ofageMock('trigger verified');
      expect(code).toBe(0);
      expect(stdout).toMatch(/^Session +[0-9a-f-]{36}$/m);
      expect(stdout).toMatch(/^Status +verified$/m);
      expect(stdout).toMatch(/^Events +session.started, verification.completed$/m);
      expect(stdout).toContain(`Webhooks  ${receiver.url}\n`);
      await receiver.waitFor(2);
    } finally {
      await receiver.close();
    }
  });

  it('explains why it cannot create a session', async () => {
    const pairs = await server.control.keyPairs(server.tenantId);
    await server.control.setKeyStatus(pairs[0]!.secret.id, 'revoked');
    expect(await ofageMock('trigger verified')).toEqual({
      code: 1,
      stdout: '',
      stderr: 'ofage-mock: Cannot trigger the scenario: The account has no active key pair\n',
    });
  });
});

describe('settle', () => {
  it('ends a pending session', async () => {
    const id = await createSession();
    const { code, stdout } = await ofageMock(`settle ${id} failed_image_quality`);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Status +failed \(image_quality\)$/m);
    expect(await server.control.session(id)).toMatchObject({ status: 'failed' });
  });

  it('prints the error of the service if it cannot settle the session', async () => {
    const id = await createSession();
    await ofageMock(`settle ${id} verified`);
    expect(await ofageMock(`settle ${id} verified`)).toEqual({
      code: 1,
      stdout: '',
      stderr:
        'ofage-mock: Cannot settle the session: The session is no longer pending: its status is verified\n',
    });
    const { stderr } = await ofageMock('settle ../clock verified');
    expect(stderr).toContain('Cannot settle the session: Session not found');
  });
});

describe('clock', () => {
  it('shows, freezes, moves and resumes the clock', async () => {
    const [running] = await results('clock');
    expect(running).toMatchObject({ frozen: false, nextDue: null });
    const [frozen] = await results('clock freeze');
    expect(frozen).toMatchObject({ frozen: true });
    const [advanced] = await results('clock advance 1h30m');
    expect(Date.parse(advanced.now) - Date.parse(frozen.now)).toBe(5_400_000);
    const [set] = await results('clock set 2100-01-01T00:00:00Z');
    expect(set.now).toBe('2100-01-01T00:00:00.000Z');
    const [resumed] = await results('clock resume');
    expect(resumed).toMatchObject({ frozen: false });
  });

  it('prints the time of the next due job, and moves to it', async () => {
    await results('clock freeze');
    const id = await createSession();
    const { stdout } = await ofageMock('clock');
    expect(stdout).toMatch(/^Now +\S+ \S+ UTC \(frozen\)\nNext due +\S+ \S+ UTC \(in 10m\)\n$/);
    await results('clock next');
    expect(await server.control.session(id)).toMatchObject({ status: 'expired' });
    expect((await ofageMock('clock')).stdout).toMatch(/^Next due +none$/m);
  });
});

describe('sessions', () => {
  it('lists the filtered sessions, newest first', async () => {
    const first = await createSession('anna');
    const second = await createSession('ben');
    await server.control.settle(first, 'verified');
    const ids = async (line: string): Promise<string[]> =>
      (await results(line)).map(({ id }) => id);
    expect(await ids('sessions')).toEqual([second, first]);
    expect(await ids('sessions --status verified')).toEqual([first]);
    expect(await ids('sessions --user ben')).toEqual([second]);
    expect(await ids('sessions --limit 1')).toEqual([second]);
    const { id } = await server.control.createTenant({ name: 'Wine' });
    expect(await ids(`sessions --tenant ${id}`)).toEqual([]);
    expect((await ofageMock('sessions')).stdout).toMatch(
      new RegExp(`^SESSION .*VALIDATED \\(UTC\\)\n${second}  pending .*\n${first}  verified .*\n$`),
    );
  });

  it('prints that there are no sessions', async () => {
    expect(await ofageMock('sessions')).toEqual({ code: 0, stdout: 'No sessions\n', stderr: '' });
  });

  it('lists the accounts if the given one is unknown', async () => {
    await server.control.createTenant({ name: 'Wine' });
    expect(await ofageMock('sessions --tenant Beer')).toMatchObject({
      code: 1,
      stderr: `ofage-mock: Cannot list sessions: unknown account "Beer"; existing accounts: ${server.tenantId}, "Wine"\n`,
    });
  });
});

describe('changes', () => {
  it('lists in words what was done, newest first, and as facts for programs', async () => {
    expect((await ofageMock('changes')).stdout).toBe('No changes\n');
    await ofageMock('clock advance 1h');
    await ofageMock('clock advance 800ms');
    await server.control.updateTenant(server.tenantId, { sandboxMode: false });
    const { stdout } = await ofageMock('changes');
    expect(stdout.split('\n').map((line) => line.slice(21))).toEqual([
      'CHANGE',
      'Settings changed: sandboxMode true → false',
      'Clock moved 800ms forward',
      'Clock moved 1h forward',
      '',
    ]);
    expect(await results('changes --of clock --limit 1')).toMatchObject([
      { kind: 'clock.moved', amount: 800 },
    ]);
    const other = await server.control.createTenant({ name: 'Wine' });
    expect((await results(`changes --tenant ${other.id}`)).map(({ kind }) => kind)).toEqual([
      'account.added',
      'clock.moved',
      'clock.moved',
    ]);
  });
});

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

  it('--follow prints existing and new events once each, even after a reset and a restart of the mock', async () => {
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
    const port = Number(new URL(server.apiBase).port);
    await server.close();
    await once(mock.child.stderr!, 'data');
    server = await startMockServer({ port });
    const afterRestart = await createSession();
    expect((await lines(123)).at(-1)).toContain(afterRestart);
    expect(await mock.kill('SIGTERM')).toMatchObject({
      stderr:
        'ofage-mock: The mock does not respond. Waiting for it.\nofage-mock: The mock responds again.\n',
    });
  });

  it('--follow prints new events whose ids repeat, because the mock starts again with its seed', async () => {
    const port = Number(new URL(server.apiBase).port);
    const restart = async (): Promise<void> => {
      await server.close();
      server = await startMockServer({ port, seed: 1 });
    };
    await restart();
    await createSession();
    let stdout = '';
    const ids = (): string[] =>
      stdout
        .split('\n')
        .slice(0, -1)
        .map((text) => (JSON.parse(text) as { id: string }).id);
    const mock = spawnMock(['events', '--follow', '--json'], { env });
    mock.child.stdout?.on('data', (text: string) => (stdout += text));
    await vi.waitUntil(() => ids().length === 1, 10_000);
    for (const length of [3, 5]) {
      await restart();
      await createSession();
      await createSession();
      await vi.waitUntil(() => ids().length === length, 10_000);
    }
    const [a, b] = ids().slice(1);
    expect(ids()).toEqual([a, a, b, a, b]);
    await mock.kill('SIGTERM');
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
      new RegExp(`^ENDPOINT .*\n${endpointId}  new +0 +0 +never +${receiver.url}\n$`),
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

  it('redeliver is refused until the endpoint has accepted a request, and prints what it queued', async () => {
    const { id, receiver } = await anEndpoint(204);
    expect(await ofageMock(`redeliver ${id}`)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^ofage-mock: Cannot redeliver: (?!Cannot)/),
    });
    await ofageMock(`test ${id}`);
    expect(await results(`redeliver ${id}`)).toEqual([{ queued: 0, remaining: 0 }]);
    await receiver.close();
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
