import { checkBackoff } from './check-backoff.ts';
import { checkBytes } from './check-bytes.ts';
import { checkDestinations } from './check-destinations.ts';
import { checkEnds } from './check-ends.ts';
import { checkEvents } from './check-events.ts';
import { checkOrder } from './check-order.ts';
import { checkPacing } from './check-pacing.ts';
import { checkPauses } from './check-pauses.ts';
import { checkArrival, checkNothingMissed, checkProgress } from './check-progress.ts';
import { checkRedelivery } from './check-redelivery.ts';
import { checkRestarts } from './check-restarts.ts';
import { History } from './history.ts';
import { modelLane } from './lane-model.ts';
import { createReport, type Report } from './report.ts';
import type { Trace } from './world.ts';

/**
 * Checks a trace against the invariants. It is independent of the engine and uses only what the trace
 * contains, such as the requests and the rows that the engine made durable. Numbers are written out, so
 * that a changed constant is noticed. Every check runs in every scenario, including those with crashes and
 * operators.
 */
export function check(trace: Trace): Report {
  const report = createReport();
  for (const error of trace.errors) report.fail('errors', String(error));
  const history = new History(trace);
  checkEvents(history, report);
  checkEnds(history, report);
  checkBytes(history, report);
  checkDestinations(history, report);
  for (const lane of history.lanes().map((attempts) => modelLane(history, attempts))) {
    checkPacing(history, report, lane);
    checkBackoff(history, report, lane);
    checkOrder(history, report, lane);
    checkRestarts(history, report, lane);
    checkProgress(history, report, lane);
  }
  checkNothingMissed(history, report);
  checkArrival(history, report);
  checkPauses(history, report);
  checkRedelivery(history, report);
  return report;
}
