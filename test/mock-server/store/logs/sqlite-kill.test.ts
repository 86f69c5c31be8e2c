import { expect, it } from 'vitest';
import { killOverAndOver } from '../../../soak/kill.ts';
import { chooseSeed } from '../../../support/choose-seed.ts';

/** A kill takes about half a second. `node test/soak/kill.ts 60` runs more of them. */
const KILLS = 3;

it(
  `ofage-mock loses no acknowledged operation in ${KILLS} kills under load`,
  async () => {
    const report = await killOverAndOver(KILLS, chooseSeed());
    expect(report.problems).toEqual([]);
    // These counts prove that the server was under load when it was killed.
    expect(report.creates).toBeGreaterThan(KILLS * 5);
    expect(report.validates).toBeGreaterThan(KILLS * 2);
    expect(report.interrupted).toBeGreaterThan(KILLS);
  },
  KILLS * 30_000,
);
