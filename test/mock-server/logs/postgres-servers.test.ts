import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { chooseSeed } from '../../support/choose-seed.ts';
import { createSession, postJson, type Answer } from '../../support/api.ts';
import { spawnMock, type MockProcess, type ReadyLine } from '../../support/mock-process.ts';
import { hasPostgres, startPostgres, type TestPostgres } from '../../support/postgres.ts';
import { startReceiver, type Receiver } from '../../support/receiver.ts';
import { createDice } from '../delivery/simulation/dice.ts';

/** A kill takes about a second. Raise this number for a longer test. */
const KILLS = 2;

interface Server extends ReadyLine {
  readonly process: MockProcess;
}

describe.skipIf(!hasPostgres())('two server processes on one PostgreSQL database', () => {
  let postgres: TestPostgres;
  let url: string;
  let processes: MockProcess[];

  beforeAll(async () => {
    postgres = await startPostgres();
  });
  beforeEach(async () => {
    url = await postgres.createDatabase();
    processes = [];
  });
  afterEach(async () => {
    for (const { child, ended } of processes) {
      child.kill('SIGKILL');
      await ended;
    }
  });
  afterAll(() => postgres.stop());

  function run(...more: string[]): MockProcess {
    const started = spawnMock(['start', '--port', '0', '--no-demo', '--data', url, ...more]);
    processes.push(started);
    return started;
  }

  async function start(): Promise<Server> {
    const process = run('--json', '--allow-loopback-webhooks');
    return { ...(await process.ready()), process };
  }

  /** Starts both servers at the same time on an empty database, and raises the account's rate limits. */
  async function startTwo(): Promise<readonly [Server, Server]> {
    const [one, two] = await Promise.all([start(), start()]);
    const limits = { rateLimits: { create: 1_000_000, validate: 1_000_000 } };
    await control(one, 'PATCH', `/tenants/${one.tenantId}`, limits);
    return [one, two];
  }

  it('deliver each event exactly once although both poll for due jobs', async () => {
    const [one, two] = await startTwo();
    const receiver = await startReceiver();
    const path = `/tenants/${one.tenantId}/webhook-endpoints`;
    await control(one, 'POST', path, { url: receiver.url });

    const servers = [one, two] as const;
    const settled = await inParallel(20, (n) => create(servers[n % 2]!));
    await inParallel(20, (n) => settle(servers[n % 2]!, settled[n]!));
    const left = await inParallel(20, (n) => create(servers[n % 2]!));
    // A clock move waits only for deliveries of its own process, so wait for those of the other process
    // first.
    const wasDelivered = async (): Promise<boolean[]> => {
      const { items } = await control(one, 'GET', '/deliveries');
      return (items as { deliveredAt: string | null }[]).map((item) => item.deliveredAt !== null);
    };
    await vi.waitFor(
      async () => expect(await wasDelivered()).toEqual(Array.from({ length: 60 }, () => true)),
      10_000,
    );
    // One server moves the time for both, past the deadline of the sessions that were not settled.
    await control(two, 'POST', '/clock/advance', { ms: 601_000 });

    await vi.waitFor(() => expect(receiver.received.length).toBeGreaterThanOrEqual(80), 10_000);
    // A duplicate would have arrived by then.
    await new Promise((resolve) => setTimeout(resolve, 500));
    const { items } = await control(one, 'GET', '/events');
    const events = items as { sessionId: string; event: string }[];
    expect(namesOf(receiver)).toEqual(events.map((one) => `${one.sessionId} ${one.event}`).sort());
    expect(countKinds(receiver)).toEqual({
      'session.started': settled.length + left.length,
      'verification.completed': settled.length,
      'session.timeout': left.length,
    });
    await receiver.close();
  });

  it('notice at once that the other has moved the clock, and run the due jobs', async () => {
    const [one, two] = await startTwo();
    await control(one, 'POST', '/clock/freeze', {});
    const id = await create(two);
    await control(one, 'POST', '/clock/advance', { ms: 601_000 });
    expect((await control(two, 'GET', `/sessions/${id}`))['status']).toBe('expired');
    expect((await control(two, 'GET', '/clock'))['frozen']).toBe(true);
  });

  it(`lose no acknowledged operation when one is killed with kill -9 ${KILLS} times`, async () => {
    const [survivor, first] = await startTwo();
    let victim = first;
    const dice = createDice(chooseSeed());
    const acknowledged = { created: new Set<string>(), settled: new Set<string>() };
    const validated = new Map<string, number>();
    const isOver = new AbortController();

    // A request to the killed server may be cut off. Then nothing was acknowledged.
    const unlessCut = <T>(ask: Promise<T>): Promise<T | null> => ask.catch(() => null);
    async function shop(n: number): Promise<void> {
      for (let turn = n; !isOver.signal.aborted; turn += 1) {
        const server = (): Server => (turn % 2 === 0 ? survivor : victim);
        const id = await unlessCut(create(server()));
        if (id === null) continue;
        acknowledged.created.add(id);
        turn += 1;
        if ((await unlessCut(settle(server(), id))) === null) continue;
        acknowledged.settled.add(id);
        // Ask both at the same time: only one may succeed, even while the other is being killed.
        const answers = await Promise.all(
          [survivor, victim].map((one) => unlessCut(validate(one, id))),
        );
        const wins = answers.filter((answer) => answer?.status === 200).length;
        if (wins > 0) validated.set(id, wins);
      }
    }

    const shoppers = Array.from({ length: 8 }, (_, n) => shop(n));
    for (let kill = 0; kill < KILLS; kill += 1) {
      const enough = validated.size + 20;
      await vi.waitFor(() => expect(validated.size).toBeGreaterThan(enough), 30_000);
      await new Promise((resolve) => setTimeout(resolve, dice.below(50)));
      await victim.process.kill('SIGKILL');
      victim = await start();
    }
    isOver.abort();
    await Promise.all(shoppers);

    expect(acknowledged.settled.size).toBeGreaterThan(KILLS * 20);
    expect([...validated.values()].every((wins) => wins === 1)).toBe(true);
    for (const server of [survivor, victim]) {
      for (const id of acknowledged.created) {
        const { status } = await control(server, 'GET', `/sessions/${id}`);
        // A settlement whose response was cut off may be stored.
        const allowed = acknowledged.settled.has(id) ? ['verified'] : ['pending', 'verified'];
        expect(allowed).toContain(status);
      }
      for (const id of validated.keys()) {
        expect(await validate(server, id)).toMatchObject({
          status: 400,
          body: { message: 'Session has already been used' },
        });
      }
    }
  }, 60_000);

  it('see each other’s requests and observations', async () => {
    const [one, two] = await startTwo();
    const id = await create(one);
    const validated = await validate(two, id);
    expect(validated.status).toBe(200);
    await control(two, 'POST', '/observations', { kind: 'access_granted', sessionId: id });
    const operations = async (server: Server): Promise<unknown> => {
      const { items } = await control(server, 'GET', '/requests');
      return (items as { operation: string }[]).map(({ operation }) => operation).sort();
    };
    // Buffered requests are written within a quarter of a second.
    for (const server of [one, two]) {
      await vi.waitFor(async () => {
        expect(await operations(server)).toEqual(['create', 'validate']);
      }, 10_000);
    }
    for (const server of [one, two]) {
      const { items } = await control(server, 'GET', '/observations');
      expect(items).toMatchObject([{ id: 1, sessionId: id }]);
    }
  });

  it('do not change the endpoint of each other’s shop', async () => {
    const hook = (port: number): string => `http://localhost:${port}/shop/webhooks/ofage`;
    const one = await run('--json', '--forward-to', hook(5001)).ready();
    await run('--json', '--forward-to', hook(5002)).ready();
    const third = await start();
    const path = `/tenants/${one.tenantId}/webhook-endpoints`;
    const { items } = await control(third, 'GET', path);
    expect(items).toMatchObject([
      { url: hook(5001), enabled: true },
      { url: hook(5002), enabled: true },
    ]);
  });

  it('report errors in one line, without the password', async () => {
    const bad = postgres.url('nowhere').replace('ofage@', 'ofage:s3cret@');
    const refused = await run('--data', bad).ended;
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toMatch(
      /^ofage-mock: Cannot open the database ".*\/nowhere": the database does not exist; create it .*\n$/,
    );
    const shown = run('--data', url.replace('ofage@', 'ofage:s3cret@'));
    await shown.firstLine();
    const { stdout, stderr, code } = await shown.kill('SIGINT');
    expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
    expect(stdout).toContain(`State      ${url}\n`);
    expect(refused.stderr + stdout).not.toContain('s3cret');
  });
});

async function create(server: Server): Promise<string> {
  const answer = await createSession(server);
  if (answer.status !== 201) throw new Error(`create returned ${answer.status}`);
  return answer.body.sessionId as string;
}

async function settle(server: Server, id: string): Promise<void> {
  await control(server, 'POST', `/sessions/${id}/outcome`, { outcome: 'verified' });
}

function validate(server: Server, sessionId: string): Promise<Answer> {
  return postJson(`${server.apiBase}/sessions/validate`, server.secretKey, { sessionId });
}

async function control(
  server: Server,
  method: string,
  path: string,
  body?: object,
): Promise<Record<string, unknown>> {
  const response = await fetch(server.controlBase + path, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${path} returned ${response.status}`);
  return (await response.json()) as Record<string, unknown>;
}

/** Calls `act` `count` times, at most 20 at the same time. */
async function inParallel<T>(count: number, act: (n: number) => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < count) {
      const n = next;
      next += 1;
      results[n] = await act(n);
    }
  };
  await Promise.all(Array.from({ length: 20 }, worker));
  return results;
}

/** Returns the session and event name of each webhook, because session.started has no event id. */
function namesOf(receiver: Receiver): string[] {
  return receiver.received
    .map(({ body }) => {
      const { event, data } = JSON.parse(body) as { event: string; data: { sessionId: string } };
      return `${data.sessionId} ${event}`;
    })
    .sort();
}

function countKinds(receiver: Receiver): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { body } of receiver.received) {
    const { event } = JSON.parse(body) as { event: string };
    counts[event] = (counts[event] ?? 0) + 1;
  }
  return counts;
}
