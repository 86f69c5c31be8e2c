/**
 * Runs each kind of cell of focus/matrix.ts in a popup or a tab, with real windows and real focus. The whole
 * matrix takes 25 minutes (`npm run focus`).
 */
import { expect } from '@playwright/test';
import { ENGINES } from './focus/browsers.ts';
import { describeCell, startWorkstation, type Workstation } from './focus/cell.ts';
import { closing, returning, staying, type Cell } from './focus/cells.ts';
import { missingCommands } from './focus/desktop.ts';
import { startStage } from './focus/stage.ts';
import { test } from './support/test.ts';

const missing = missingCommands();
const reason = `Real focus needs ${missing.join(' and ')}: node scripts/browsers.mjs`;
if (missing.length > 0) console.warn(`Skipped: ${reason}`);

for (const engine of ENGINES) {
  const popup = { engine, target: 'popup' } as const;
  const tab = { engine, target: 'tab' } as const;
  const cells: Cell[] = [
    returning({ ...popup, kind: 'cut', shop: 'same-origin' }, 100),
    returning({ ...tab, kind: 'announced' }, -100),
    closing({ ...popup, kind: 'close' }),
    closing({ ...tab, kind: 'close' }),
    closing({ ...tab, kind: 'loading' }),
    // The shopper stays on a bank's page.
    staying({ ...popup, kind: 'hop' }),
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
