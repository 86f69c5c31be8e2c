import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { chooseSeed } from '../../../support/choose-seed.ts';
import { createSession, postJson, type Answer } from '../../../support/api.ts';
import { spawnMock, type MockProcess, type ReadyLine } from '../../../support/mock-process.ts';
import { hasPostgres, startPostgres, type TestPostgres } from '../../../support/postgres.ts';
import { createDice } from '../../send/simulation/dice.ts';
import { waitFor } from '../../../support/wait-for.ts';

/** A kill takes about a second. Raise this number for a longer test. */
const KILLS = 1;

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
    const started = spawnMock(['start', '--port', '0', '--data', url, ...more]);
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
      await waitFor(() => expect(validated.size).toBeGreaterThan(enough));
      // The kill comes at a random moment of the requests.
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
  }, 120_000);
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
