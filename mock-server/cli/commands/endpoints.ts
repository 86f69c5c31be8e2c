import type { ControlClient } from '../../api/client.ts';
import type {
  EndpointResource,
  NewEndpointResource,
  Redelivery,
  WebhookTestResource,
} from '../../api/endpoints.ts';
import { ANY_TENANT, findTenant } from '../accounts.ts';
import { type Command, requireArguments, textOf } from '../command.ts';
import type { Column, Printer } from '../printer.ts';
import { LABELS } from '../../words/states.ts';
import { formatTimeInUtc } from '../../words/times.ts';

export const endpoints: Command = {
  name: 'endpoints',
  takes: '',
  summary: 'list webhook endpoints and their health',
  action: 'list endpoints',
  options: { tenant: ANY_TENANT },
  read(words, values) {
    requireArguments('endpoints', [], words);
    return async (mock, print) => {
      const wanted = textOf(values, 'tenant');
      const tenants =
        wanted === undefined ? await mock.tenants() : [await findTenant(mock, wanted)];
      const lists = tenants.map(({ id }) => mock.endpoints(id));
      print.list((await Promise.all(lists)).flat(), COLUMNS, 'No endpoints');
    };
  },
};

const COLUMNS: readonly Column<EndpointResource>[] = [
  { title: 'ENDPOINT', of: ({ id }) => id },
  { title: 'STATE', of: ({ health }) => health.state },
  { title: LABELS.waiting, of: ({ health }) => health.pending },
  { title: LABELS.notDelivered, of: ({ health }) => health.undelivered },
  {
    title: `${LABELS.lastSuccess} (UTC)`,
    of: ({ health }) => formatTimeInUtc(health.lastSuccessAt),
  },
  { title: 'URL', of: ({ url }) => url },
];

/** The commands that match the console's buttons for a webhook endpoint, in the order of the help. */
export const endpointActions: readonly Command[] = [
  endpointAction({
    name: 'test',
    summary: 'send a test event to a webhook endpoint',
    action: 'test the endpoint',
    details: '',
    call: (mock, id) => mock.testEndpoint(id),
    show: showTest,
  }),
  endpointAction({
    name: 'resume',
    summary: 'resume a paused webhook endpoint if it accepts a test event',
    action: 'resume the endpoint',
    details: ` Events that were
missed during the pause are not sent; use redeliver for them.`,
    call: (mock, id) => mock.resumeEndpoint(id),
    show: showTest,
  }),
  endpointAction({
    name: 'redeliver',
    summary: 'redeliver undelivered events of the last 7 days to a webhook endpoint',
    action: 'redeliver',
    details: ` The command queues
at most 500 events per run.`,
    call: (mock, id) => mock.redeliver(id),
    show: showRedelivery,
  }),
  endpointAction({
    name: 'rotate-secret',
    summary: 'generate a new secret for a webhook endpoint and show it once',
    action: 'rotate the secret',
    details: ` All further requests
are signed with the new secret, including those of queued events.`,
    call: (mock, id) => mock.rotateSecret(id),
    show: showSecret,
  }),
];

interface EndpointAction<T> extends Pick<Command, 'name' | 'summary' | 'action'> {
  readonly details: string;
  call(mock: ControlClient, endpointId: string): Promise<T>;
  show(print: Printer, result: T): void;
}

function endpointAction<T>({ details, call, show, ...facts }: EndpointAction<T>): Command {
  return {
    ...facts,
    takes: 'ENDPOINT',
    details: `ENDPOINT is a webhook endpoint's id (see ofage-mock endpoints).${details}`,
    read(words) {
      const [id] = requireArguments(facts.name, ['ENDPOINT'], words);
      return async (mock, print) => show(print, await call(mock, id));
    },
  };
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
