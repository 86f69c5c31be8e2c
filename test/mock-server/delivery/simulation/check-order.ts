import type { DeliveryRow } from '../../../../mock-server/store/tables.ts';
import type { Place } from './durable-rows.ts';
import { HOUR, SECOND, type History } from './history.ts';
import { isFailing, type LaneModel, type Pacing } from './lane-model.ts';
import type { Report } from './report.ts';
import type { SentAttempt } from './sent-attempts.ts';

/**
 * Checks P9: each request sends the delivery whose turn it is, and the health counts every failed request.
 */
export function checkOrder(history: History, report: Report, lane: LaneModel): void {
  const { owner, url, steps } = lane;
  const line = [...history.deliveries.values()].filter((states) => {
    const last = states.at(-1)!;
    return last.row.url === url && history.ownerOf(last.row.endpointId, last.commit) === owner;
  });
  for (const { step, before } of steps) {
    if (step.kind !== 'start' || !step.one.delivery) continue;
    const waiting = line.flatMap((states) => {
      const row = states.findLast(({ order }) => order < step.place.order)?.row;
      return row?.status === 'pending' && row.leaseUntilMs === null ? [row] : [];
    });
    checkTurn(history, report, { one: step.one, place: step.place, waiting, pacing: before });
  }
  for (const { commit, atMs, row, url: of } of history.health.get(owner) ?? []) {
    if (!row || of !== url) continue;
    const failures = steps.findLast(({ step }) => step.place.commit <= commit)?.after.failures ?? 0;
    if (row.consecutiveFailures !== failures)
      report.fail(
        'P9',
        `${url} has ${row.consecutiveFailures} failures at ${history.formatTime(atMs)} instead of ${failures}`,
      );
  }
}

interface Turn {
  readonly one: SentAttempt;
  readonly place: Place;
  /** The deliveries that were waiting before this one was claimed. */
  readonly waiting: readonly DeliveryRow[];
  readonly pacing: Pacing;
}

function checkTurn(history: History, report: Report, { one, place, waiting, pacing }: Turn): void {
  const states = history.deliveries.get(one.delivery!.id)!;
  // The claim has counted the attempt already.
  const claimed = history.at(states, place.commit)?.row;
  if (!claimed || waiting.length < 2) return;
  if (isFailing(pacing)) report.saw('P9');
  const isUntried = claimed.attempts - 1 <= claimed.baseAttempts;
  const untried = waiting.filter(({ attempts, baseAttempts }) => attempts <= baseAttempts);
  // A request that ends after an hour of rejections may be the last one, so it is no turn of the old ones.
  const { rejectingMs } = pacing;
  const isLast = rejectingMs !== null && place.atMs + 15 * SECOND >= rejectingMs + HOUR;
  const isOldTurn = isFailing(pacing) && pacing.failures % 4 === 0 && !isLast;
  // After a crash, the row may have lost its lease and got another one in the same commit.
  const hasUntried = isUntried || untried.length > 0;
  const times = (isOldTurn || !hasUntried ? waiting : untried).map(({ nextAtMs }) => nextAtMs);
  const isNewestTurn = isFailing(pacing) && !isOldTurn && hasUntried;
  const dueMs = isNewestTurn ? Math.max(...times) : Math.min(...times);
  const where = `${one.url} at ${history.formatTime(one.sent.atMs)}`;
  if (hasUntried && !isOldTurn && !isUntried)
    return report.fail('P9', `${where}: a retry was sent while ${untried.length} are untried`);
  if (isNewestTurn ? claimed.nextAtMs < dueMs : claimed.nextAtMs > dueMs)
    report.fail(
      'P9',
      `${where}: sent the delivery of ${history.formatTime(claimed.nextAtMs)} instead of ${history.formatTime(dueMs)}, after ${pacing.failures} failures`,
    );
}
