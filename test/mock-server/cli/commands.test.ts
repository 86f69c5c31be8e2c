import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { SCENARIOS } from '../../../mock-server/sessions/scenarios.ts';
import { startMockServer, type MockServer } from '../../../mock-server/hosts/node-server.ts';
import { postJson } from '../../support/api.ts';
import { spawnMock } from '../../support/mock-process.ts';
import { startReceiver, type Receiver } from '../../support/receiver.ts';
import { type, type Said } from './a-terminal.ts';

let server: MockServer;
let env: Record<string, string>;
beforeEach(async () => {
  server = await startMockServer({ port: 0, allowLoopbackWebhooks: true });
  env = { OFAGE_MOCK_URL: new URL(server.apiBase).origin };
});
afterEach(() => server.close());

const ofageMock = (line: string): Promise<Said> => type(line.split(' '), { env });

/** The results of a command that is to work, one a line. */
async function results<T = any>(line: string): Promise<T[]> {
  const { code, stdout, stderr } = await ofageMock(`${line} --json`);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout
    .split('\n')
    .slice(0, -1)
    .map((text) => JSON.parse(text) as T);
}

async function createSession(externalUserId?: string): Promise<string> {
  const { body } = await postJson(`${server.apiBase}/sessions/create`, server.secretKey, {
    returnUrl: 'http://localhost/',
    externalUserId,
  });
  return body.sessionId;
}

describe('trigger', () => {
  it.each(SCENARIOS.map(({ name, outcome, reason }) => [name, outcome, reason] as const))(
    '%s leaves a session that is %s (%s)',
    async (name, status, reason) => {
      const [{ session }] = (await results(`trigger ${name}`)) as [{ session: object }];
      expect(session).toMatchObject({ status, reason });
    },
  );

  it.each([
    ['session.started', ['session.started']],
    ['verification.completed', ['session.started', 'verification.completed']],
    ['verification.failed', ['session.started', 'verification.failed']],
    ['verification.cancelled', ['session.started', 'verification.cancelled']],
    ['session.timeout', ['session.started', 'session.timeout']],
  ])('%s happens for real', async (kind, kinds) => {
    await results(`trigger ${kind}`);
    expect((await server.control.events()).map(({ event }) => event)).toEqual(kinds);
  });

  it('creates the session that was asked for', async () => {
    const [{ session }] = (await results('trigger verified --user anna --mode L2 --age 40')) as [
      any,
    ];
    expect(session).toMatchObject({
      externalUserId: 'anna',
      verificationMode: 'L2',
      challengeAge: 40,
    });
  });

  it('lets the face mismatch where the account has no face match', async () => {
    await server.control.updateTenant(server.tenantId, { policy: { faceMatchEnabled: false } });
    const [{ session }] = (await results('trigger failed_face_mismatch')) as [any];
    expect(session).toMatchObject({ status: 'failed', reason: 'face_mismatch' });
  });

  it('takes another account, by name or id', async () => {
    const { id } = await server.control.createTenant({ name: 'Wine' });
    await server.control.createKeyPair(id);
    for (const wanted of ['Wine', id]) {
      const [{ session }] = (await results(`trigger verified --tenant ${wanted}`)) as [any];
      expect(session.tenantId).toBe(id);
    }
  });

  it('sends its webhooks, and says where to', async () => {
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

  it('says why there is no session', async () => {
    const pairs = await server.control.keyPairs(server.tenantId);
    await server.control.setKeyStatus(pairs[0]!.secret.id, 'revoked');
    expect(await ofageMock('trigger verified')).toEqual({
      code: 1,
      stdout: '',
      stderr:
        'ofage-mock: Cannot trigger it: the account "Demo shop" has no key pair that is active\n',
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

  it('says why it cannot, with the words of the service', async () => {
    const id = await createSession();
    await ofageMock(`settle ${id} verified`);
    expect(await ofageMock(`settle ${id} verified`)).toEqual({
      code: 1,
      stdout: '',
      stderr:
        'ofage-mock: Cannot settle the session: The session is no longer pending: it is verified\n',
    });
    const expired = await createSession();
    await server.control.settle(expired, 'timeout');
    expect(await ofageMock(`settle ${expired} verified`)).toEqual({
      code: 1,
      stdout: '',
      stderr:
        'ofage-mock: Cannot settle the session: The session is no longer pending: it is expired\n',
    });
    const { stderr } = await ofageMock('settle ../clock verified');
    expect(stderr).toContain('Cannot settle the session: Session not found');
  });
});

describe('clock', () => {
  it('shows, freezes, moves and resumes', async () => {
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

  it('moves to what falls due next, and tells when that is', async () => {
    await results('clock freeze');
    const id = await createSession();
    const { stdout } = await ofageMock('clock');
    expect(stdout).toMatch(/^Now +\S+ \(stands still\)\nNext due +\S+Z \(in 10m\)\n$/);
    await results('clock next');
    expect(await server.control.session(id)).toMatchObject({ status: 'expired' });
    expect((await ofageMock('clock')).stdout).toMatch(/^Next due +-$/m);
  });

  it('does not go back', async () => {
    const { code, stderr } = await ofageMock('clock set 2020-01-01');
    expect(code).toBe(1);
    expect(stderr).toMatch(/^ofage-mock: Cannot use the clock: Time only moves forward: it is /);
  });
});

describe('sessions', () => {
  it('lists what the filters leave, newest first', async () => {
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
      new RegExp(`^SESSION .*VALIDATED\n${second}  pending .*\n${first}  verified .*\n$`),
    );
  });

  it('says that there are none', async () => {
    expect(await ofageMock('sessions')).toEqual({ code: 0, stdout: 'No sessions\n', stderr: '' });
  });

  it('names the accounts when it does not know one', async () => {
    expect(await ofageMock('sessions --tenant Beer')).toMatchObject({
      code: 1,
      stderr:
        'ofage-mock: Cannot list sessions: there is no account "Beer"; there is "Demo shop"\n',
    });
  });
});

describe('events', () => {
  it('lists what the filters leave, oldest first', async () => {
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
    // The newest so many of the kind, not the kind among the newest so many.
    expect(await kinds(`events --kind ${started} --limit 1`)).toEqual([[started, second]]);
    expect(await kinds('events --limit 1')).toEqual([['verification.completed', first]]);
  });

  it('follows: each new event once, over a reset too, until the mock is gone', async () => {
    await createSession();
    let stdout = '';
    const lines = async (count: number): Promise<string[]> => {
      while (stdout.split('\n').length <= count) await new Promise((r) => setTimeout(r, 20));
      return stdout.split('\n').slice(0, -1);
    };
    const mock = spawnMock(['events', '--follow', '--json'], { env });
    mock.child.stdout?.on('data', (text: string) => (stdout += text));
    await lines(1);
    // More than it asks for at once.
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
        /^ofage-mock: Cannot list events: there is no mock at [^\n]*\n$/,
      ),
    });
  });
});

describe('deliveries and endpoints', () => {
  let receiver: Receiver;
  let endpointId: string;
  beforeEach(async () => {
    receiver = await startReceiver(204);
    const input = { url: receiver.url, events: ['verification.completed' as const] };
    ({ id: endpointId } = await server.control.createEndpoint(server.tenantId, input));
  });
  afterEach(() => receiver.close());

  it('lists what was sent and what came of it', async () => {
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

  it('lists endpoints with how they do', async () => {
    expect((await ofageMock('endpoints')).stdout).toMatch(
      new RegExp(`^ENDPOINT .*\n${endpointId}  healthy +0 +0 +- +${receiver.url}\n$`),
    );
    await server.control.updateEndpoint(endpointId, { enabled: false });
    expect((await ofageMock('endpoints --tenant Demo')).code).toBe(1);
    expect((await ofageMock('endpoints')).stdout).toContain('disabled');
  });
});

describe('test, resume and redeliver', () => {
  /** An endpoint whose receiver answers with a status. */
  async function anEndpoint(status: number): Promise<{ id: string; receiver: Receiver }> {
    const receiver = await startReceiver(status);
    const input = { url: receiver.url, events: ['verification.failed' as const] };
    const { id } = await server.control.createEndpoint(server.tenantId, input);
    return { id, receiver };
  }

  it.each(['test', 'resume'])('%s sends a test event that is taken', async (command) => {
    const { id, receiver } = await anEndpoint(204);
    const [result] = await results(`${command} ${id}`);
    expect(result).toMatchObject({ success: true, httpStatus: 204 });
    expect(JSON.parse(receiver.received[0]!.body)).toMatchObject({ test: true });
    expect((await ofageMock(`${command} ${id}`)).stdout).toMatch(/^Answer +204$/m);
    await receiver.close();
  });

  it.each([
    ['test', 'test the endpoint'],
    ['resume', 'resume the endpoint'],
  ])('%s ends with 1 when the event is not taken', async (command, action) => {
    const { id, receiver } = await anEndpoint(500);
    expect(await ofageMock(`${command} ${id}`)).toEqual({
      code: 1,
      stdout: expect.stringMatching(/^Answer +500\nTook +\d+ ms\nResumed +no\n$/),
      stderr: `ofage-mock: Cannot ${action}: it did not take the test event: 500\n`,
    });
    await receiver.close();
  });

  it('after a day of failures: paused, resumed, delivered again', async () => {
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

  it('rotate-secret shows the new secret', async () => {
    const { id, receiver } = await anEndpoint(204);
    const [endpoint] = await results(`rotate-secret ${id}`);
    expect(endpoint).toMatchObject({ id, secret: expect.stringMatching(/^whsec_[0-9a-f]{48}$/) });
    expect((await ofageMock(`rotate-secret ${id}`)).stdout).toMatch(
      /^Secret +whsec_[0-9a-f]{48}$/m,
    );
    await receiver.close();
  });

  it.each(['test', 'resume', 'redeliver', 'rotate-secret'])(
    '%s does not know every id',
    async (command) => {
      const { code, stderr } = await ofageMock(`${command} nobody`);
      expect(code).toBe(1);
      expect(stderr).toMatch(/^ofage-mock: Cannot [a-z ]+: .*not found\n$/i);
    },
  );
});

describe('scenarios', () => {
  it('lists the catalogue, mock or no mock', async () => {
    await server.close();
    expect(await results('scenarios')).toEqual([...SCENARIOS]);
  });
});

describe('every command', () => {
  it.each([
    'trigger verified',
    'settle x verified',
    'clock',
    'clock next',
    'sessions',
    'events',
    'events --follow',
    'deliveries',
    'endpoints',
    'test x',
    'resume x',
    'redeliver x',
    'rotate-secret x',
  ])('%s says in one line how to start a mock when there is none', async (line) => {
    await server.close();
    const { code, stdout, stderr } = await ofageMock(line);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(
      /^ofage-mock: Cannot [a-z ]+: there is no mock at http:\/\/127.0.0.1:\d+; start one with ofage-mock start --port \d+, or say with --url where it is\n$/,
    );
  });

  it.each([
    ['trigger', 'trigger takes SCENARIO|EVENT; SCENARIO|EVENT is missing'],
    ['trigger veriffied', 'There is no scenario or event "veriffied"; did you mean verified?'],
    ['trigger verified twice', 'trigger takes SCENARIO|EVENT, got "twice" besides'],
    ['trigger verified --age 20', '--age must be an integer from 25 to 99, got "20"'],
    ['trigger verified --mode L3', '--mode must be one of L1, L2, got "L3"'],
    ['settle x', 'settle takes SESSION and SCENARIO; SCENARIO is missing'],
    ['settle x session.started', 'There is no scenario "session.started"'],
    ['clock advnce 1m', 'The clock has no "advnce"; did you mean advance?'],
    ['clock toString', 'The clock has no "toString"'],
    ['clock advance', 'clock advance takes LENGTH; LENGTH is missing'],
    ['clock advance 10', 'A length of time is a number with its unit'],
    ['clock freeze now', 'clock freeze takes no arguments, got "now" besides'],
    ['clock set tomorrow', 'An instant is a date'],
    ['events --kind verified', '--kind must be one of session.started, '],
    ['sessions --limit 0', '--limit must be an integer from 1 to 1000000, got "0"'],
    ['sessions --url nowhere/x', '--url must be the address of a mock'],
    ['sessions --port 1', "Unknown option '--port'"],
    ['sesions', 'Unknown command "sesions"; did you mean sessions?'],
  ])('%s is refused with one line and exit code 2', async (line, sentence) => {
    const { code, stdout, stderr } = await ofageMock(line);
    expect({ code, stdout, lines: stderr.split('\n').length }).toEqual({
      code: 2,
      stdout: '',
      lines: 2,
    });
    expect(stderr).toContain(`ofage-mock: ${sentence}`);
    expect(stderr).toMatch(/ \(see ofage-mock (\w+ )?--help\)\n$/);
  });

  it('--url comes before OFAGE_MOCK_URL', async () => {
    expect(
      await type(['clock', '--url', env['OFAGE_MOCK_URL']!], {
        env: { OFAGE_MOCK_URL: 'http://127.0.0.1:9' },
      }),
    ).toMatchObject({ code: 0 });
  });

  it('colours headings on a terminal alone, and not with NO_COLOR', async () => {
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
