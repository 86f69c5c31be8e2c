import { parseArgs } from 'node:util';
import { chosenNumber } from '../../../support/chosen.ts';
import { check, checkIsolation } from './checker.ts';
import { createScenario } from './families.ts';
import { findReached, type Invariant, LEAST_EXERCISED, MUST_REACH } from './report.ts';
import { play, START_MS } from './world.ts';

// Runs many scenarios: `node test/mock-server/send/simulation/soak.ts [--scenarios 200000] [--from 0]`.
// The exit code is 1 if a scenario violates an invariant, or if an invariant was exercised too rarely. The
// run stops at the first violation, unless `--keep-going` is set. With `--seed 4711` it runs only that
// scenario and prints it in full.

const { values } = parseArgs({
  options: {
    scenarios: { type: 'string', default: '200000' },
    from: { type: 'string', default: '0' },
    seed: { type: 'string' },
    'keep-going': { type: 'boolean', default: false },
  },
});

/** The smallest number of scenarios that must exercise every invariant often enough, and reach everything. */
const ENOUGH = 300;

if (values.seed !== undefined) await replay(chosenNumber('--seed', values.seed, 0));
else
  await soak(chosenNumber('--from', values.from, 0), chosenNumber('--scenarios', values.scenarios));

async function replay(seed: number): Promise<void> {
  const trace = await play(createScenario(seed));
  console.log(JSON.stringify(trace.scenario, null, 1));
  const at = (ms: number | null): string =>
    ms === null ? '-' : ((ms - START_MS) / 1000).toFixed(3);
  for (const { no, atMs, endMs, url, bodyText, behaviour, isHandled, isOrphan } of trace.sent) {
    const { event, data } = JSON.parse(bodyText) as { event: string; data: { sessionId: string } };
    console.log(
      `#${no} ${at(atMs)}-${at(endMs)} ${url} ${event} ${data.sessionId.slice(0, 4)} ` +
        `${JSON.stringify(behaviour)}${isHandled ? ' handled' : ''}${isOrphan ? ' orphan' : ''}`,
    );
  }
  for (const { atMs, upMs, phase } of trace.crashes)
    console.log(`crash ${phase} ${at(atMs)}-${at(upMs)}`);
  for (const { operation, atMs, result } of trace.operations)
    console.log(`${operation.kind} ${operation.endpoint} ${at(atMs)}`, result);
  for (const row of trace.rows('deliveries'))
    console.log(row.url, row.policy, row.status, row.reason, at(row.createdAtMs), row.attempts);
  for (const row of trace.rows('notices')) console.log(row.id, row.reason, at(row.createdAtMs));
  const found = check(trace);
  await checkIsolation(trace, found);
  console.log(found.problems);
}

async function soak(from: number, scenarios: number): Promise<void> {
  const began = performance.now();
  let requests = 0;
  let crashes = 0;
  let pauses = 0;
  let failed = 0;
  let played = 0;
  const counts = new Map<Invariant, number>();
  const reached = new Set<string>();
  for (let seed = from; seed < from + scenarios; seed += 1) {
    const trace = await play(createScenario(seed)).catch((error: unknown) => error as Error);
    if (trace instanceof Error) {
      console.log(`seed ${seed}: ${trace.message}`);
      process.exitCode = 1;
      return;
    }
    played += 1;
    requests += trace.sent.length;
    crashes += trace.crashes.length;
    pauses += trace.rows('notices').length;
    for (const what of findReached(trace)) reached.add(what);
    const found = check(trace);
    await checkIsolation(trace, found);
    const { problems, exercised } = found;
    for (const rule of exercised) counts.set(rule, (counts.get(rule) ?? 0) + 1);
    if (problems.length === 0) continue;
    failed += 1;
    console.log(`seed ${seed}: ${problems.slice(0, 3).join('; ')}`);
    process.exitCode = 1;
    if (!values['keep-going']) break;
  }
  const seconds = (performance.now() - began) / 1000;
  console.log(
    `${played} scenarios from ${from}, ${requests} requests, ${crashes} crashes, ${pauses} pauses: ` +
      `${failed} failed, ${seconds.toFixed(1)} s`,
  );
  report(counts, played, failed);
  if (played < ENOUGH || failed > 0) return;
  for (const what of MUST_REACH.filter((one) => !reached.has(one))) {
    console.log(`no scenario reached "${what}"`);
    process.exitCode = 1;
  }
}

/** Prints how many scenarios exercised each invariant. Too few are an error, like a violation. */
function report(counts: ReadonlyMap<Invariant, number>, played: number, failed: number): void {
  const rules = Object.keys(LEAST_EXERCISED) as Invariant[];
  console.log(`exercised ${rules.map((rule) => `${rule} ${counts.get(rule) ?? 0}`).join(', ')}`);
  if (played < ENOUGH || failed > 0) return;
  for (const rule of rules) {
    const least = Math.floor((LEAST_EXERCISED[rule] * played) / 10_000);
    if ((counts.get(rule) ?? 0) >= least) continue;
    console.log(`${rule} was exercised in fewer than ${least} scenarios`);
    process.exitCode = 1;
  }
}
