import type { History } from './history.ts';
import { isSameWave, type LaneModel } from './lane-model.ts';
import type { Report } from './report.ts';

/**
 * Checks P9: the endpoint's health counts consecutive failures, and requests that failed together count as
 * one.
 */
export function checkWaves(history: History, report: Report, lane: LaneModel): void {
  const { owner, url, steps } = lane;
  for (const { step, before } of steps) {
    if (step.kind === 'end' && step.one.verdict !== 'ok' && isSameWave(before, step.one))
      report.saw('P9');
  }
  for (const { commit, atMs, row, url: of } of history.health.get(owner) ?? []) {
    if (!row || of !== url) continue;
    const run = steps.findLast(({ step }) => step.place.commit <= commit)?.after.run ?? 0;
    if (row.consecutiveFailures !== run)
      report.fail(
        'P9',
        `${url} has ${row.consecutiveFailures} consecutive failures at ${history.formatTime(atMs)} instead of ${run}`,
      );
  }
}
