import type { Report } from './report.ts';
import type { Scenario } from './scenario.ts';
import { play, type Trace } from './world.ts';

/**
 * Checks P6: the first endpoint gets the same requests at the same times if the second endpoint is always
 * healthy.
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

/**
 * Returns the time and the event of each request. Bytes are left out, because those of an inline event
 * contain the time of its first attempt at any endpoint.
 */
function toStarts({ sent }: Trace): string[] {
  return sent
    .filter(({ url }) => url.startsWith('https://e0-'))
    .map(({ atMs, url, bodyText }) => {
      const { event, data } = JSON.parse(bodyText) as {
        event: string;
        data: { sessionId: string };
      };
      return `${atMs} ${url} ${event} ${data.sessionId}`;
    });
}
