import { verify } from '@octokit/webhooks-methods';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { envelope, STATUS_TEXT, type ContractCase } from './case.ts';
import { createCases } from './create-cases.ts';
import { eventCases } from './event-cases.ts';
import { hostedCases } from './hosted-cases.ts';
import { routeCases } from './route-cases.ts';
import { validateCases } from './validate-cases.ts';
import { CREATE, createWorld, post, RETURN_URL, VALIDATE, type ContractHost } from './world.ts';

/** Defines the contract tests of the service, which are the same for every host. */
export function contractSuite(name: string, start: () => Promise<ContractHost>): void {
  describe(name, () => {
    let host: ContractHost;
    beforeAll(async () => {
      host = await start();
    });
    afterAll(() => host.close());

    const check = (row: ContractCase) => checkCase(host, row);
    describe('POST /sessions/create', () => {
      it.each(createCases)('$name: $status ($why)', check);
    });
    describe('POST /sessions/validate', () => {
      it.each(validateCases)('$name: $status ($why)', check);
    });
    describe('paths and methods', () => {
      it.each(routeCases)('$name: $status ($why)', check);
    });
    describe('the hosted page’s API', () => {
      it.each(hostedCases)('$name: $status ($why)', check);
    });

    describe('events', () => {
      it.each(eventCases)('$name ($why)', async ({ body, happen, expected }) => {
        const world = await createWorld(host, { allowedDomains: ['shop.example'] });
        const { control, clock } = host;
        await control.createEndpoint(world.tenantId, { url: host.receiver.url });
        const createdAt = await world.now();
        const { sessionId, expiresAt } = await world.create(body);
        await happen?.(world, sessionId);
        await clock.advance(0);
        const facts = { sessionId, tenantId: world.tenantId, createdAt, expiresAt };
        const events = await world.events(sessionId);
        expect(events.map((event) => event.body && JSON.parse(event.body))).toEqual(
          expected({ ...facts, ids: events.map(({ id }) => id) }),
        );
      });
    });

    it('delivers each event once, with a signature over the exact bytes', async () => {
      const world = await createWorld(host);
      const { url, received } = host.receiver;
      const { secret } = await host.control.createEndpoint(world.tenantId, { url });
      received.length = 0;
      const { sessionId } = await world.create();
      await host.control.settle(sessionId, 'verified');
      await host.clock.advance(0);

      const events = await world.events(sessionId);
      expect(events.map(({ event }) => event)).toEqual([
        'session.started',
        'verification.completed',
      ]);
      expect(received.map(({ bodyText }) => bodyText).sort()).toEqual(
        events.map(({ body }) => body).sort(),
      );
      for (const { headers, bodyText } of received) {
        const signature = headers.get('x-ofage-signature') ?? '';
        expect(headers.get('content-type')).toBe('application/json');
        // This is a third-party verification function for a header with the same format.
        expect(await verify(secret ?? '', bodyText, signature)).toBe(true);
        expect(await verify(secret ?? '', `${bodyText} `, signature)).toBe(false);
      }
      const deliveries = await host.control.deliveries({ sessionId });
      expect(deliveries).toMatchObject([
        { status: 'delivered', reason: null, attempts: [{ n: 1, outcome: 'ok', httpStatus: 204 }] },
        { status: 'delivered', reason: null, attempts: [{ n: 1, outcome: 'ok', httpStatus: 204 }] },
      ]);
    });

    it.each(LIMITED)('sends the rate limit headers for $what', async (row) => {
      const { path, method, status } = row;
      const response = await host.send(path, { method });
      expect(response.status).toBe(status);
      const limit = path === VALIDATE ? '100' : '300';
      expect(response.headers.get('x-ratelimit-limit')).toBe(limit);
      expect(response.headers.get('x-ratelimit-window')).toBe('60');
      expect(response.headers.get('x-ratelimit-remaining')).toBe(limit);
      const text = await response.text();
      if (method !== 'HEAD' && status !== 204)
        expect(JSON.parse(text)).toMatchObject({ statusCode: status, path });
    });

    it('validates a session only once, even if 50 requests arrive at the same time', async () => {
      const world = await createWorld(host);
      const { sessionId } = await world.create();
      await world.control.settle(sessionId, 'verified');
      const { path, init } = post(VALIDATE, { sessionId }, world.sk);
      const responses = await Promise.all(Array.from({ length: 50 }, () => host.send(path, init)));
      const statuses = responses.map(({ status }) => status).sort();
      expect(statuses).toEqual([200, ...Array.from({ length: 49 }, () => 400)]);
    });

    it('creates every session with a unique id and unique tokens', async () => {
      const world = await createWorld(host);
      const { path, init } = post(CREATE, { returnUrl: RETURN_URL }, world.sk);
      const made = await Promise.all(
        Array.from({ length: 20 }, async () => (await host.send(path, init)).json()),
      );
      for (const key of ['sessionId', 'sessionToken', 'handoffToken', 'verifyUrl']) {
        expect(new Set(made.map((session) => session[key])).size, key).toBe(20);
      }
    });
  });
}

/** Requests without a known account. */
const LIMITED = [
  { what: 'a preflight of create', path: CREATE, method: 'OPTIONS', status: 204 },
  { what: 'a preflight of validate', path: VALIDATE, method: 'OPTIONS', status: 204 },
  {
    what: 'a preflight of an unknown path',
    path: '/api/v1/nothing',
    method: 'OPTIONS',
    status: 404,
  },
  { what: 'an unknown path', path: '/api/v1/nothing', method: 'GET', status: 404 },
  { what: 'the base path', path: '/api/v1', method: 'GET', status: 404 },
  { what: 'a different method', path: VALIDATE, method: 'PUT', status: 405 },
  { what: 'a HEAD request', path: CREATE, method: 'HEAD', status: 405 },
  { what: 'a request without a key', path: CREATE, method: 'POST', status: 401 },
];

async function checkCase(host: ContractHost, row: ContractCase): Promise<void> {
  const world = await createWorld(host, row.tenant);
  const { path, init } = await row.call(world);
  const response = await host.send(path, init);
  const body: unknown = await response.json();
  expect(body).toEqual(await expectedBody(row, world, path));
  expect(response.status).toBe(row.status);
  for (const [name, value] of Object.entries(row.headers ?? {})) {
    expect(response.headers.get(name), name).toBe(value);
  }
}

async function expectedBody(
  { body, message, status }: ContractCase,
  world: Parameters<NonNullable<ContractCase['body']>>[0],
  path: string,
): Promise<object> {
  if (body) return body(world);
  return { ...envelope(status, STATUS_TEXT[status] ?? '', path, await world.now()), message };
}
