/**
 * Simulates a shopper who returns to the shop just before or after COOP severs the window, with real windows:
 *   node test/e2e/focus/matrix.ts [--engines chromium,firefox,webkit] [--targets popup,tab]
 *     [--kinds cut,hop,announced,challenge,close,loading,early] [--workstations 4] [--again 2] [--verbose]
 * Exits with code 1 when the SDK ended a verification whose page was open, or a close was not detected in
 * time, in a cell that documented.ts does not list, or when a cell could not be played.
 */
import { parseArgs } from 'node:util';
import { chosenNames } from '../../support/chosen.ts';
import { describeCell, startWorkstation, type Workstation } from './cell.ts';
import { ENGINES, type Engine } from './browsers.ts';
import { KINDS, listCells, type Cell } from './cells.ts';
import { whyDocumented } from './documented.ts';
import { startStage } from './stage.ts';

const TARGETS = ['popup', 'tab'] as const;

const { values } = parseArgs({
  options: {
    engines: { type: 'string', default: ENGINES.join() },
    kinds: { type: 'string', default: KINDS.join() },
    targets: { type: 'string', default: TARGETS.join() },
    workstations: { type: 'string', default: '4' },
    /** Number of repetitions of a failed cell, which show whether it always fails. */
    again: { type: 'string', default: '2' },
    verbose: { type: 'boolean', default: false },
  },
});
const kinds = chosenNames('--kinds', values.kinds, KINDS);
const targets = chosenNames('--targets', values.targets, TARGETS);
const cells = chosenNames('--engines', values.engines, ENGINES)
  .flatMap(listCells)
  .filter(({ kind, target }) => kinds.includes(kind) && targets.includes(target));
const total = cells.length;
const stage = await startStage();
const faults = new Set<string>();
const documented = new Set<string>();
const unplayed = new Set<string>();
const startedAtMs = performance.now();

async function work(workstation: number): Promise<void> {
  for (let engine = cells[0]?.engine; engine; engine = cells[0]?.engine) {
    const own = await startWorkstation(stage, String(workstation), engine);
    try {
      for (let cell = take(engine); cell; cell = take(engine)) await playAndReport(own, cell);
    } finally {
      await own.stop();
    }
  }
}

/** Returns the next cell for this engine, so that a workstation keeps its browser. */
function take(engine: Engine): Cell | undefined {
  return cells[0]?.engine === engine ? cells.shift() : undefined;
}

async function playAndReport(workstation: Workstation, cell: Cell): Promise<void> {
  if (cells.length % 100 === 0) console.log(`${cells.length} cells to go`);
  const title = describeCell(cell);
  for (let left = Number(values.again); left >= 0; left -= 1) {
    try {
      const played = await workstation.play(cell);
      const { fault, noticedMs, offsetMs, story } = played;
      const why = whyDocumented(played);
      if (why) {
        console.log(`known  ${title}: ${fault}, ${offsetMs} ms from the arrival: ${why}`);
        documented.add(title);
        return;
      }
      if (fault) console.log(`FAULT  ${title}: ${fault}, at ${offsetMs} ms\n       ${story}`);
      else if (values.verbose) console.log(`ok     ${title} ${noticedMs ?? ''}\n       ${story}`);
      if (!fault) return;
      faults.add(title);
    } catch (error) {
      console.log(`FAILED ${title}: ${String(error)}`);
      unplayed.add(title);
      return;
    }
  }
}

try {
  await Promise.all(Array.from({ length: Number(values.workstations) }, (_, n) => work(n)));
} finally {
  stage.stop();
}
const seconds = Math.round((performance.now() - startedAtMs) / 1000);
console.log(
  `${total} cells, ${documented.size} with a documented difference, ${faults.size} with another fault, ${unplayed.size} not played, ${seconds} s`,
);
process.exitCode = faults.size + unplayed.size > 0 ? 1 : 0;
