import type { NewEndpointResource, Redelivery, WebhookTestResource } from '../../api/endpoints.ts';
import { type Command, requireArguments, type Run } from '../command.ts';
import type { MockClient } from '../mock-client.ts';
import type { Printer } from '../printer.ts';

const ENDPOINT = "ENDPOINT is a webhook endpoint's id (see ofage-mock endpoints).";

const test: Command = {
  name: 'test',
  takes: 'ENDPOINT',
  summary: 'send a test event to a webhook endpoint',
  action: 'test the endpoint',
  details: ENDPOINT,
  read: (words) =>
    act(words, { command: 'test', call: (mock, id) => mock.testEndpoint(id), show: showTest }),
};

const resume: Command = {
  name: 'resume',
  takes: 'ENDPOINT',
  summary: 'resume a paused webhook endpoint if it accepts a test event',
  action: 'resume the endpoint',
  details: `${ENDPOINT} Events that were
missed during the pause are not sent; use redeliver for them.`,
  read: (words) =>
    act(words, { command: 'resume', call: (mock, id) => mock.resumeEndpoint(id), show: showTest }),
};

const redeliver: Command = {
  name: 'redeliver',
  takes: 'ENDPOINT',
  summary: 'redeliver undelivered events of the last 7 days to a webhook endpoint',
  action: 'redeliver',
  details: `${ENDPOINT} The command queues
at most 500 events per run.`,
  read: (words) =>
    act(words, {
      command: 'redeliver',
      call: (mock, id) => mock.redeliver(id),
      show: showRedelivery,
    }),
};

const rotate: Command = {
  name: 'rotate-secret',
  takes: 'ENDPOINT',
  summary: 'generate a new secret for a webhook endpoint and show it once',
  action: 'rotate the secret',
  details: `${ENDPOINT} All further requests
are signed with the new secret, including those of queued events.`,
  read: (words) =>
    act(words, {
      command: 'rotate-secret',
      call: (mock, id) => mock.rotateSecret(id),
      show: showSecret,
    }),
};

/** The commands that match the dashboard's buttons for a webhook endpoint, in the order of the help. */
export const endpointActions: readonly Command[] = [test, resume, redeliver, rotate];

interface Action<T> {
  readonly command: string;
  call(mock: MockClient, endpointId: string): Promise<T>;
  show(print: Printer, result: T): void;
}

function act<T>(words: readonly string[], { command, call, show }: Action<T>): Run {
  const [id] = requireArguments(command, ['ENDPOINT'], words);
  return async (mock, print) => show(print, await call(mock, id));
}

function showSecret(print: Printer, endpoint: NewEndpointResource): void {
  print.result(endpoint, [
    ['Endpoint', endpoint.url],
    ['Secret', endpoint.secret],
  ]);
}

function showRedelivery(print: Printer, { queued, remaining }: Redelivery): void {
  print.result({ queued, remaining }, [
    ['Queued', String(queued)],
    ['Remaining', String(remaining)],
  ]);
}

/** @throws {Error} if the receiver did not accept the test event, so that the exit code is not 0 */
function showTest(print: Printer, result: WebhookTestResource): void {
  const { success, resumed, httpStatus, error, durationMs } = result;
  const response = httpStatus === null ? `no response (${error ?? 'unknown'})` : String(httpStatus);
  print.result(result, [
    ['Response', response],
    ['Took', `${durationMs} ms`],
    ['Resumed', resumed ? 'yes' : 'no'],
  ]);
  if (!success) throw new Error(`it did not accept the test event: ${response}`);
}
