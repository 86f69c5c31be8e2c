import type { DeliveryState } from './durable-rows.ts';
import { SECOND, type History } from './history.ts';
import { isFailing, type LaneModel } from './lane-model.ts';
import type { Report } from './report.ts';

/**
 * Checks P10. A process that is the only one on its log knows at its start that no other process is
 * sending. A healthy endpoint therefore gets its waiting events within a second, regardless of requests in
 * flight at the crash.
 */
export function checkRestarts(history: History, report: Report, lane: LaneModel): void {
  const { trace } = history;
  if (trace.scenario.isShared) return;
  for (const [n, { atMs, upMs }] of trace.crashes.entries()) {
    const untilMs = upMs + SECOND;
    // The next crash may come in the same millisecond.
    const next = trace.crashes[n + 1];
    const isDisturbed =
      (next && next.atMs <= untilMs) ||
      trace.operations.some((one) => one.atMs > atMs && one.atMs <= untilMs);
    if (untilMs > trace.endMs || isDisturbed) continue;
    const commit = history.commitAt(atMs);
    const config = history.configAt(lane.owner, commit);
    if (!config?.enabled || history.isPausedAt(lane.owner, commit)) continue;
    const pacing = lane.steps.findLast(({ step }) => step.place.commit <= commit)?.after;
    if (pacing && (isFailing(pacing) || pacing.holdMs > upMs)) continue;
    const left = lineOf(history, lane).flatMap((states) => history.at(states, commit)?.row ?? []);
    const hasMore = left.some(
      ({ status, policy, leaseUntilMs, nextAtMs, deadlineAtMs }) =>
        status === 'pending' &&
        (policy !== 'inline' || leaseUntilMs === null) &&
        nextAtMs <= upMs &&
        deadlineAtMs > untilMs,
    );
    if (!hasMore) continue;
    if (left.some(({ leaseUntilMs }) => leaseUntilMs !== null && leaseUntilMs > untilMs))
      report.saw('P10');
    const isServed = lane.attempts.some(
      ({ delivery, sent }) => delivery && sent.atMs >= upMs && sent.atMs <= untilMs,
    );
    if (!isServed)
      report.fail(
        'P10',
        `${lane.url} got no request in the second after ${history.formatTime(upMs)}`,
      );
  }
}

function lineOf(history: History, { owner, url }: LaneModel): (readonly DeliveryState[])[] {
  return [...history.deliveries.values()].filter((states) => {
    const last = states.at(-1)!;
    return last.row.url === url && history.ownerOf(last.row.endpointId, last.commit) === owner;
  });
}
