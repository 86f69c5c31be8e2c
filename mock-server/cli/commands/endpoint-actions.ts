import type { WebhookTestResource } from '../../control/webhook-resources.ts';
import type { Redelivery } from '../../rules/redelivery.ts';
import { takeWords, type Command, type Run } from '../command.ts';
import type { Printer } from '../printer.ts';

const ENDPOINT = "ENDPOINT is a webhook endpoint's id, as endpoints lists it.";

/** What the dashboard's buttons of a webhook endpoint do. */
export const test: Command = {
  name: 'test',
  takes: 'ENDPOINT',
  summary: 'send a signed test event to a webhook endpoint',
  action: 'test the endpoint',
  details: ENDPOINT,
  read: (words) => post<WebhookTestResource>('test', words, showTest),
};

export const resume: Command = {
  name: 'resume',
  takes: 'ENDPOINT',
  summary: 'resume a paused webhook endpoint, once a test event gets through',
  action: 'resume the endpoint',
  details: `${ENDPOINT} What was missed in the
meantime is not sent by that; see redeliver.`,
  read: (words) => post<WebhookTestResource>('resume', words, showTest),
};

export const redeliver: Command = {
  name: 'redeliver',
  takes: 'ENDPOINT',
  summary: 'send again what a webhook endpoint did not take in the last 7 days',
  action: 'redeliver',
  details: `${ENDPOINT} It takes up to 500 events
at a time.`,
  read: (words) =>
    post<Redelivery>('redeliver', words, (print, result) => {
      print.result(
        result,
        Object.entries(result).map(([name, value]) => [name, String(value)] as const),
      );
    }),
};

function post<T extends object>(
  action: string,
  words: readonly string[],
  show: (print: Printer, result: T) => void,
): Run {
  const [id] = takeWords(action, ['ENDPOINT'], words);
  return async (mock, print) => {
    const path = `/webhook-endpoints/${encodeURIComponent(id)}/${action}`;
    show(print, await mock.post<T>(path, {}));
  };
}

/** @throws {Error} when the receiver did not take the test event, so that the exit code says so */
function showTest(print: Printer, result: WebhookTestResource): void {
  const { success, resumed, httpStatus, error, durationMs } = result;
  const answer = httpStatus === null ? `no answer (${error ?? 'unknown'})` : String(httpStatus);
  print.result(result, [
    ['Answer', answer],
    ['Took', `${durationMs} ms`],
    ['Resumed', resumed ? 'yes' : 'no'],
  ]);
  if (!success) throw new Error(`it did not take the test event: ${answer}`);
}
