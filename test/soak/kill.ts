/**
 * Kills the real command line with `kill -9` at random moments under load, repeatedly on one data file, and
 * checks after each start that no acknowledged change is lost: node test/soak/kill.ts [60] [seed]. The same
 * seed chooses the same moments.
 */
import { randomInt } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { createDice, type Dice } from '../mock-server/send/simulation/dice.ts';
import { createControlClient } from '../../mock-server/api/client.ts';
import { postJson } from '../support/api.ts';
import { chosenNumber } from '../support/chosen.ts';
import { spawnMock, type MockProcess, type ReadyLine } from '../support/mock-process.ts';

export interface KillReport {
  kills: number;
  seed: number;
  creates: number;
  outcomes: number;
  validates: number;
  /** Number of requests in flight when the process was killed. Both outcomes are correct for these. */
  interrupted: number;
  /** Descriptions of wrong results. */
  problems: string[];
}

/** The state of a session that the service has acknowledged to the client. */
interface Promised {
  status: 'pending' | 'verified' | 'failed' | 'cancelled';
  /** Number of validate responses with status 200 and a settled result. */
  consumed: number;
}

const WORKERS = 8;
const MOST_LOAD_MS = 120;
const OUTCOMES = [
  ['verified', 'verified'],
  ['failed_age_not_met', 'failed'],
  ['cancelled', 'cancelled'],
] as const;

export async function killOverAndOver(
  kills: number,
  seed = randomInt(1_000_000),
): Promise<KillReport> {
  const dice = createDice(seed);
  const folder = mkdtempSync(join(tmpdir(), 'ofage-kill-'));
  const args = ['--port', '0', '--json', '--data', join(folder, 'state.sqlite')];
  const promised = new Map<string, Promised>();
  const report = {
    kills,
    seed,
    creates: 0,
    outcomes: 0,
    validates: 0,
    interrupted: 0,
    problems: [],
  };
  let mock: MockProcess | undefined;
  try {
    for (let kill = 0; kill <= kills; kill += 1) {
      mock = spawnMock(args);
      const ready = await mock.ready();
      await raiseLimits(ready);
      await check({ ready, promised, report, dice });
      if (kill < kills) await loadAndKill(mock, { ready, promised, report, dice });
    }
    return report;
  } finally {
    await mock?.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A run of the service between two kills. */
interface Round {
  readonly ready: ReadyLine;
  readonly promised: Map<string, Promised>;
  readonly report: KillReport;
  readonly dice: Dice;
}

/**
 * Lets eight clients create, settle and validate sessions without a pause, and kills the process meanwhile.
 */
async function loadAndKill(
  mock: MockProcess,
  { ready, promised, report, dice }: Round,
): Promise<void> {
  const work = async (): Promise<void> => {
    for (let turn = 0; mock.child.signalCode === null; turn += 1) {
      const created = await create(ready);
      report.creates += 1;
      const { sessionId } = created.body;
      const known: Promised = { status: 'pending', consumed: 0 };
      promised.set(sessionId, known);
      const [outcome, status] = OUTCOMES[turn % OUTCOMES.length]!;
      const settled = await controlOf(ready).settle(sessionId, outcome);
      report.outcomes += 1;
      known.status = status;
      if (settled.status !== status)
        report.problems.push(`${sessionId} settled as ${settled.status}, not ${status}`);
      // Some sessions stay settled but not validated, so that the next process can validate them.
      if (turn % 4 === 3) continue;
      const validated = await validate(ready, sessionId);
      report.validates += 1;
      if (validated.status === 200) known.consumed += 1;
      else report.problems.push(`${sessionId} validated with ${validated.status}`);
    }
  };
  const workers = Array.from({ length: WORKERS }, () =>
    work().catch(() => (report.interrupted += 1)),
  );
  // Waits for some progress, so that the kill happens under load even on a slow machine.
  const { creates, validates, interrupted } = report;
  while (report.creates < creates + 6 || report.validates < validates + 3) {
    if (report.interrupted >= interrupted + WORKERS) throw new Error('No request succeeds');
    await sleep(5);
  }
  await sleep(dice.below(MOST_LOAD_MS));
  await mock.kill('SIGKILL');
  await Promise.all(workers);
}

/** Compares the state with the acknowledged one and validates settled sessions, which may succeed only once. */
async function check({ ready, promised, report, dice }: Round): Promise<void> {
  for (const [sessionId, known] of promised) {
    const found = await controlOf(ready)
      .session(sessionId)
      .catch((error: unknown) => void report.problems.push(`${sessionId} is gone: ${error}`));
    if (!found) continue;
    // A request whose response was lost may have settled a pending session. No other change is allowed.
    if (known.status !== 'pending' && found.status !== known.status)
      report.problems.push(`${sessionId} was ${known.status} and is ${found.status}`);
    if (known.consumed > 0 && found.validatedAt === null)
      report.problems.push(`${sessionId} was validated, but is no longer marked as validated`);
    if (found.status === 'pending') continue;

    const again = await validate(ready, sessionId);
    const isUsed = again.status === 400 && again.body.message === 'Session has already been used';
    if (again.status === 200) known.consumed += 1;
    else if (!isUsed) report.problems.push(`${sessionId} validated with ${again.status}`);
    if (known.consumed > 1) report.problems.push(`${sessionId} was validated twice`);
    // The session exists, is settled and consumed. Half of these sessions are not checked again, but stay
    // in the file for the next rounds.
    if (isUsed && report.problems.length === 0 && dice.chance(0.5)) promised.delete(sessionId);
  }
}

const create = (ready: ReadyLine) =>
  post(201, `${ready.apiBase}/sessions/create`, ready.secretKey, {
    returnUrl: 'http://localhost/',
  });
const controlOf = ({ controlBase }: ReadyLine) => createControlClient({ baseUrl: controlBase });
const validate = (ready: ReadyLine, sessionId: string) =>
  postJson(`${ready.apiBase}/sessions/validate`, ready.secretKey, { sessionId });

async function post(status: number, url: string, key: string, body: object) {
  const answer = await postJson(url, key, body);
  if (answer.status !== status) throw new Error(`${url} responded with ${answer.status}`);
  return answer;
}

async function raiseLimits(ready: ReadyLine): Promise<void> {
  const rateLimits = { create: 1_000_000, validate: 1_000_000 };
  await controlOf(ready).updateTenant(ready.tenantId, { rateLimits });
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [kills = '60', seed] = process.argv.slice(2);
  const report = await killOverAndOver(
    chosenNumber('The number of kills', kills),
    seed === undefined ? seed : chosenNumber('The seed', seed, 0),
  );
  console.log(JSON.stringify(report, null, 2));
  process.exitCode = report.problems.length > 0 ? 1 : 0;
}
