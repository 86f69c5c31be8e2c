import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { createScenario } from './families.ts';
import { SCENARIOS_IN_SUITE } from './report.ts';
import { play } from './world.ts';

/** Number of scenarios. Raise it for a longer test, or use soak.ts. */
const SCENARIOS = Number(process.env['SIMULATION_SCENARIOS'] ?? SCENARIOS_IN_SUITE);

/**
 * The number of processes. Node runs the modules directly in them, three times as fast as a test runner.
 */
const PROCESSES = 2;

/** The time limit. A run takes about ten seconds on two idle cores, and longer on a busy machine. */
const TIMEOUT_MS = 600_000;

const SOAK = fileURLToPath(new URL('soak.ts', import.meta.url));

describe('the delivery engine, in simulated days with crashes and misbehaving receivers', () => {
  it(
    `keeps every invariant in ${SCENARIOS} scenarios, which exercise each of them and reach every result`,
    async () => {
      const share = Math.ceil(SCENARIOS / PROCESSES);
      const reports = await Promise.all(
        Array.from({ length: PROCESSES }, (_, n) => soak(n * share, share)),
      );
      // Replay a failing seed with: node test/mock-server/send/simulation/soak.ts --seed 4711
      for (const { output } of reports) expect(output).toMatch(/: 0 failed, /);
      for (const { output } of reports) console.log(output.trim());
      expect(reports.map(({ code }) => code)).toEqual(reports.map(() => 0));
    },
    TIMEOUT_MS,
  );

  it('is deterministic for a seed, so that a failure can be replayed', async () => {
    for (const seed of [7, 1376]) {
      const [first, second] = [await play(createScenario(seed)), await play(createScenario(seed))];
      expect(second.sent).toEqual(first.sent);
      expect(second.log).toEqual(first.log);
    }
  });
});

function soak(from: number, scenarios: number): Promise<{ code: number | null; output: string }> {
  const child = spawn(
    process.execPath,
    [SOAK, '--from', String(from), '--scenarios', String(scenarios)],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  return new Promise((resolve) => {
    child.on('close', (code) => resolve({ code, output }));
  });
}
