import { expect, it } from 'vitest';
import { killOverAndOver } from '../../soak/kill.ts';

/** Each takes about half a second; `node test/soak/kill.ts 60` looks harder. */
const KILLS = 12;

it(
  `loses nothing that it has acknowledged over ${KILLS} kills under load`,
  async () => {
    const report = await killOverAndOver(KILLS);
    expect(report.problems).toEqual([]);
    // It was under load indeed, and killed in the middle of it.
    expect(report.creates).toBeGreaterThan(KILLS * 5);
    expect(report.validates).toBeGreaterThan(KILLS * 2);
    expect(report.interrupted).toBeGreaterThan(KILLS);
  },
  KILLS * 5_000,
);
