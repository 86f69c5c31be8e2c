import { checkBytes, checkDestinations, checkEnds, checkEvents } from './check-events.ts';
import { checkBackoff, checkOrder, checkPacing, checkRestarts } from './check-lanes.ts';
import { checkPauses, checkRedelivery } from './check-pauses.ts';
import { checkArrival, checkProgress } from './check-progress.ts';
import { History } from './history.ts';
import { modelLane } from './lane-model.ts';
import { createReport, type Report } from './report.ts';
import type { Scenario } from './scenario.ts';
import { play, type Trace } from './world.ts';

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
  checkArrival(history, report);
  checkPauses(history, report);
  checkRedelivery(history, report);
  return report;
}

/**
 * Checks P6: the first endpoint gets its requests at the same times if the second endpoint is always healthy.
 * The events of the requests are not compared: one that is created in the millisecond in which a request
 * starts may be in time for it or not, and the order of the transactions decides that.
 */
export async function checkIsolation(trace: Trace, report: Report): Promise<void> {
  const { scenario } = trace;
  if (!scenario.isPaired) return;
  const other = await play(withSecondHealthy(scenario));
  report.saw('P6');
  const [actual, expected] = [toStarts(trace), toStarts(other)];
  const at = actual.findIndex((start, n) => start !== expected[n]);
  if (at >= 0 || actual.length !== expected.length)
    report.fail('P6', `with a second endpoint: ${actual[at]} instead of ${expected[at]}`);
}

function withSecondHealthy(scenario: Scenario): Scenario {
  const [first, second] = scenario.endpoints;
  const well = [{ fromMs: 0, behaviour: { kind: 'status', status: 204, delayMs: 3 } as const }];
  return { ...scenario, endpoints: [first!, { ...second!, segments: [well, well] }] };
}

/** Returns the time and the address of each request to the first endpoint. */
function toStarts({ sent }: Trace): string[] {
  return sent
    .filter(({ url }) => url.startsWith('https://e0-'))
    .map(({ atMs, url }) => `${atMs} ${url}`);
}
