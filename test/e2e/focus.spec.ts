/**
 * Runs a few cells of focus/matrix.ts, with real windows and real focus. The whole matrix takes an hour
 * (`npm run focus`).
 */
import { expect } from '@playwright/test';
import { ENGINES } from './focus/browsers.ts';
import { describeCell, startWorkstation, type Workstation } from './focus/cell.ts';
import { listCells, type Cell } from './focus/cells.ts';
import { missingCommands } from './focus/desktop.ts';
import { startStage } from './focus/stage.ts';
import { test } from './support/test.ts';

const missing = missingCommands();
const reason = `Real focus needs ${missing.join(' and ')}: node scripts/browsers.mjs`;
if (missing.length > 0) console.warn(`Skipped: ${reason}`);

const BOTH = ['popup', 'tab'] as const;

for (const engine of ENGINES) {
  const of = { engines: [engine], targets: BOTH, hosted: ['none'] };
  const cells: Cell[] = [
    // The shopper returns just after COOP severs the window, about 0.8 s after the click.
    ...listCells({ ...of, kinds: ['cut'], shops: ['same-origin'], delays: [900] }),
    ...listCells({ ...of, kinds: ['announced'], shops: ['none'], delays: [1100] }),
    ...listCells({ ...of, kinds: ['close', 'loading'], shops: ['none'] }),
    // The shopper stays on a bank's page.
    ...listCells({ ...of, kinds: ['hop'], shops: ['none'], delays: [undefined] }),
  ];

  test.describe(engine, () => {
    test.describe.configure({ mode: 'serial', retries: 1, timeout: 120_000 });
    test.skip(missing.length > 0, reason);
    let workstation: Workstation;
    let stop: () => Promise<void>;
    test.beforeAll(async () => {
      const stage = await startStage();
      workstation = await startWorkstation(stage, engine, engine);
      stop = async () => {
        await workstation.stop();
        stage.stop();
      };
    });
    test.afterAll(() => stop());

    for (const cell of cells) {
      test(`the attempt ends only if the window closes: ${describeCell(cell)}`, async () => {
        const { fault, story } = await workstation.play(cell);
        expect(fault, story).toBeUndefined();
      });
    }
  });
}
