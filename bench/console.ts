/**
 * Measures what the console costs with 5,100 sessions and 10,000 deliveries, beside an empty mock: the bytes
 * that its lists read after a change, and the time of an action until the open views show its effect.
 */
import { createMockService, type ServiceOptions } from 'ofage-mock';
import * as queries from '../playground/console/queries.ts';
import { createProvider, type Provider } from '../playground/shared/provider.ts';
import { median, printTable } from './statistics.ts';

const SESSIONS = 5_100;
/** Each of these sessions has two deliveries. */
const ENDED = 5_000;
const ACTIONS = 20;
const HOUR_MS = 3_600_000;

export async function run(): Promise<void> {
  const empty = await openConsole(0, 0);
  const full = await openConsole(SESSIONS, ENDED);
  await measureBytes(full);
  await measureActions(empty, full);
  await Promise.all([empty.close(), full.close()]);
}

interface OpenConsole {
  readonly provider: Provider;
  readonly tenantId: string;
  readonly endpointId: string;
  /** The bytes of the responses to reads, by path, since the last reset. */
  readonly bytes: Map<string, number>;
  close(): Promise<void>;
}

/** Creates a mock and opens the queries of overview, sessions and an endpoint at once. */
async function openConsole(sessions: number, ended: number): Promise<OpenConsole> {
  const accept: NonNullable<ServiceOptions['sender']> = {
    send: async () => ({
      kind: 'response',
      status: 204,
      retryAfter: null,
      address: '192.0.2.1',
      hops: 0,
    }),
  };
  const service = createMockService({ clock: { frozen: true }, sender: accept });
  const { tenantId } = await service.ready;
  const { id: endpointId } = await service.control.createEndpoint(tenantId, {
    url: 'https://shop.example/webhooks',
    events: ['session.started', 'verification.completed'],
  });
  for (let n = 0; n < sessions; n += 1) {
    // The sessions are spread over the last day.
    if (n % 50 === 0) await service.clock.advance(HOUR_MS / 5);
    const name = n < ended ? 'verified' : 'never';
    await service.control.trigger({ name, tenantId, externalUserId: `customer-${n}` });
  }
  await service.clock.advance(1_000);

  const bytes = new Map<string, number>();
  const provider = createProvider({
    apiOrigin: service.apiOrigin,
    async fetch(request) {
      const response = await service.fetch(request);
      const { pathname } = new URL(request.url);
      if (request.method !== 'GET' || pathname.endsWith('/stream')) return response;
      const body = await response.arrayBuffer();
      bytes.set(pathname, Math.max(bytes.get(pathname) ?? 0, body.byteLength));
      return new Response(body, response);
    },
  });
  const { client, live } = provider;
  const account = { tenantId, labs: false };
  const now = (await client.clock.read()).now;
  const from = new Date(Date.parse(now) - 24 * HOUR_MS).toISOString();
  const opened = [
    queries.sessions(client, { ...account, limit: queries.PAGE_SIZE }),
    queries.sessionStatistics(client, { ...account, from, stepMs: HOUR_MS }),
    queries.deliveries(client, { endpointId }),
    queries.endpoints(client, tenantId),
    queries.pairs(client, tenantId),
    queries.faults(client, tenantId),
    queries.nextOutcomes(client, tenantId),
    queries.legacyWebhook(client, tenantId),
  ].map((query) => live.open<unknown>(query));
  await Promise.all(opened.map(({ reload }) => reload()));
  return {
    provider,
    tenantId,
    endpointId,
    bytes,
    async close() {
      for (const { close } of opened) close();
      await service.close();
    },
  };
}

async function measureBytes({ provider, bytes, tenantId }: OpenConsole): Promise<void> {
  bytes.clear();
  await provider.client.trigger({ name: 'verified', tenantId });
  const lists = ['/sessions', '/deliveries'].map((path) => [
    path,
    ((bytes.get(`/control/v1${path}`) ?? Number.NaN) / 1_000).toFixed(1),
  ]);
  printTable('Bytes that a list of the console reads after a change', [['list', 'kB'], ...lists]);
}

async function measureActions(empty: OpenConsole, full: OpenConsole): Promise<void> {
  const actions: readonly (readonly [
    string,
    (page: OpenConsole, n: number) => Promise<unknown>,
  ])[] = [
    [
      'switch the sandbox',
      ({ provider, tenantId }, n) =>
        provider.client.updateTenant(tenantId, { sandboxMode: n % 2 === 0 }),
    ],
    [
      'start a session',
      ({ provider, tenantId }) => provider.client.trigger({ name: 'never', tenantId }),
    ],
  ];
  const rows = [['action', 'empty ms', 'full ms', 'limit ms']];
  for (const [name, act] of actions) {
    const times: Record<'empty' | 'full', number[]> = { empty: [], full: [] };
    // Both mocks take turns, so that a busy moment of the machine concerns both.
    for (let n = 0; n < ACTIONS; n += 1) {
      times.empty.push(await timeOf(() => act(empty, n)));
      times.full.push(await timeOf(() => act(full, n)));
    }
    const [without, withMany] = [median(times.empty), median(times.full)];
    rows.push([name, without.toFixed(1), withMany.toFixed(1), (without * 1.25 + 10).toFixed(1)]);
  }
  printTable(`Time of an action, median of ${ACTIONS}`, rows);
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const startMs = performance.now();
  await work();
  return performance.now() - startMs;
}
