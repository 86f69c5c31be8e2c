/**
 * Runs each kind of cell of focus/matrix.ts in a popup or a tab, with real windows and real focus. The whole
 * matrix takes an hour (`npm run focus`).
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

for (const engine of ENGINES) {
  const popup = { engines: [engine], targets: ['popup'], hosted: ['none'] } as const;
  const tab = { ...popup, targets: ['tab'] } as const;
  const cells: Cell[] = [
    // The shopper returns just after COOP severs the window, about 0.8 s after the click.
    ...listCells({ ...popup, kinds: ['cut'], shops: ['same-origin'], delays: [900] }),
    ...listCells({ ...tab, kinds: ['announced'], shops: ['none'], delays: [1100] }),
    ...listCells({ ...popup, kinds: ['close'], shops: ['none'] }),
    ...listCells({ ...tab, kinds: ['close', 'loading'], shops: ['none'] }),
    // The shopper stays on a bank's page.
    ...listCells({ ...popup, kinds: ['hop'], shops: ['none'], delays: [undefined] }),
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
