import {
  createMockService,
  type Sender,
  type ServiceOptions,
  type WebhookResult,
} from 'ofage/mock';
import { describe, expect, it } from 'vitest';
import { createMemoryLog, createSharedMemory } from '../../../mock-server/logs/memory.ts';

const JANUARY = Date.UTC(2026, 0, 1);
const HOOK = 'https://shop.example/webhooks';
const answered = (status: number, retryAfter: string | null = null): WebhookResult => ({
  kind: 'response',
  status,
  retryAfter,
  address: '192.0.2.1',
  hops: 0,
});

/** One endpoint, for completions alone. */
const ONLY_ENDS: ServiceOptions = {
  endpoints: [{ url: HOOK, secret: 'first secret', events: ['verification.completed'] }],
};

/** A service whose receiver answers as it is told, with one endpoint for everything. */
async function createScene(answer: Sender['send'], options: ServiceOptions = {}) {
  const sent: { url: string; body: string; headers: Readonly<Record<string, string>> }[] = [];
  const service = createMockService({
    clock: { now: JANUARY, frozen: true },
    sender: {
      send(request) {
        const { url, headers, body } = request;
        sent.push({ url, headers, body: new TextDecoder().decode(body) });
        return answer(request);
      },
    },
    endpoints: [{ url: HOOK, secret: 'first secret' }],
    ...options,
  });
  const { secretKey, tenantId } = await service.ready;
  const create = async (key = secretKey): Promise<string> => {
    const response = await service.fetch(
      new Request('http://localhost/api/v1/sessions/create', {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ returnUrl: 'http://localhost/' }),
      }),
    );
    return ((await response.json()) as { sessionId: string }).sessionId;
  };
  const createSettled = async (): Promise<string> => {
    const { id } = await service.control.settle(await create(), 'verified');
    return id;
  };
  const flush = () => service.clock.advance(0);
  return { service, sent, tenantId, create, createSettled, flush, control: service.control };
}

const kindsOf = (sent: readonly { body: string }[]): string[] =>
  sent.map(({ body }) => (JSON.parse(body) as { event: string }).event);

describe('an event', () => {
  it('is sent once, with its attempt recorded in full', async () => {
    const { create, flush, control, sent } = await createScene(async () => answered(200));
    const sessionId = await create();
    await flush();
    expect(kindsOf(sent)).toEqual(['session.started']);
    expect(await control.deliveries({ sessionId })).toEqual([
      {
        id: expect.any(String),
        eventId: expect.any(String),
        event: 'session.started',
        tenantId: expect.any(String),
        sessionId,
        endpointId: expect.any(String),
        url: HOOK,
        policy: 'inline',
        status: 'delivered',
        reason: null,
        createdAt: '2026-01-01T00:00:00.000Z',
        nextAttemptAt: null,
        redeliveries: 0,
        deliveredAt: '2026-01-01T00:00:00.000Z',
        undeliveredAt: null,
        attempts: [
          {
            n: 1,
            startedAt: '2026-01-01T00:00:00.000Z',
            finishedAt: '2026-01-01T00:00:00.000Z',
            outcome: 'ok',
            httpStatus: 200,
            error: null,
            retryAfterMs: null,
            durationMs: expect.any(Number),
            hops: 0,
            bodySha256: expect.stringMatching(/^[0-9a-f]{64}$/),
            signature: sent[0]?.headers['x-ofage-signature'],
            fault: null,
          },
        ],
      },
    ]);
  });

  const failed = (error: 'timeout' | 'dns'): WebhookResult => ({
    kind: 'failure',
    error,
    address: null,
    hops: 1,
  });
  it.each<[WebhookResult, object]>([
    [answered(500), { outcome: 'fail', httpStatus: 500 }],
    [answered(404), { outcome: 'reject', httpStatus: 404 }],
    [answered(429, '120'), { outcome: 'fail', retryAfterMs: 120_000 }],
    [answered(503, 'soon'), { outcome: 'fail', retryAfterMs: null }],
    [answered(408), { outcome: 'fail' }],
    [answered(304), { outcome: 'fail' }],
    [failed('timeout'), { outcome: 'fail', httpStatus: null, error: 'timeout', hops: 1 }],
    [failed('dns'), { outcome: 'fail', error: 'dns' }],
    [
      { kind: 'refused', error: 'destination_not_public', address: null, hops: 0 },
      { outcome: 'reject', error: 'destination_not_public' },
    ],
  ])('that ends with %j is tried again, with its attempt recorded', async (result, attempt) => {
    const { createSettled, flush, control, tenantId } = await createScene(
      async () => result,
      ONLY_ENDS,
    );
    const sessionId = await createSettled();
    await flush();
    expect(await control.deliveries({ sessionId })).toMatchObject([
      { status: 'pending', reason: null, undeliveredAt: null, attempts: [{ n: 1, ...attempt }] },
    ]);
    expect(await control.endpoints(tenantId)).toMatchObject([
      { health: { consecutiveFailures: 1, pending: 1, undelivered: 0, lastSuccessAt: null } },
    ]);
  });

  it('goes to the endpoints that want its kind, in their key pair’s scope', async () => {
    const { service, create, flush, control, sent, tenantId } = await createScene(
      async () => answered(200),
      { endpoints: [] },
    );
    const pair = await control.createKeyPair(tenantId);
    const add = (path: string, more: object) =>
      control.createEndpoint(tenantId, { url: HOOK + path, ...more });
    await add('/all', {});
    await add('/ends', { events: ['verification.completed'] });
    await add('/pair', { pairId: pair.pairId });
    await add('/off', { enabled: false });
    const { id: otherTenant } = await control.createTenant();
    await control.createEndpoint(otherTenant, { url: `${HOOK}/other` });

    await service.control.settle(await create(), 'verified');
    await flush();
    expect(sent.map(({ url }) => url.slice(HOOK.length)).sort()).toEqual(['/all', '/all', '/ends']);

    sent.length = 0;
    await create(pair.secret.value);
    await flush();
    expect(sent.map(({ url }) => url.slice(HOOK.length)).sort()).toEqual(['/all', '/pair']);
  });

  it('is signed with the secret of the moment, and not at all without one', async () => {
    const { create, flush, control, sent, tenantId } = await createScene(async () => answered(200));
    const [endpoint] = await control.endpoints(tenantId);
    await create();
    await flush();
    await control.updateEndpoint(endpoint?.id ?? '', { secret: 'second secret' });
    await create();
    await flush();
    await control.updateEndpoint(endpoint?.id ?? '', { secret: null });
    await create();
    await flush();
    const signatures = sent.map(({ headers }) => headers['x-ofage-signature']);
    expect(signatures).toEqual([
      expect.stringMatching(/^sha256=[0-9a-f]{64}$/),
      expect.stringMatching(/^sha256=[0-9a-f]{64}$/),
      undefined,
    ]);
    expect(signatures[0]).not.toBe(signatures[1]);
  });

  it('never waits for its receiver: a session is settled at once', async () => {
    let release = (_result: WebhookResult): void => {};
    const held = new Promise<WebhookResult>((resolve) => (release = resolve));
    const { create, control } = await createScene(() => held);
    const session = await control.settle(await create(), 'verified');
    expect(session.status).toBe('verified');
    release(answered(200));
  });
});

describe('an endpoint that changes while an event is queued', () => {
  // The clock stands still, and no round of real time runs before `flush`.
  const quiet: ServiceOptions = { realClock: { now: () => JANUARY, wakeAt: () => () => {} } };

  it('moved: the event still goes where it was made for', async () => {
    const { create, flush, control, sent, tenantId } = await createScene(
      async () => answered(200),
      quiet,
    );
    const [endpoint] = await control.endpoints(tenantId);
    await create();
    await control.updateEndpoint(endpoint?.id ?? '', { url: 'https://elsewhere.example/' });
    await flush();
    expect(sent.map(({ url }) => url)).toEqual([HOOK]);
    // The endpoint has taken something, if at another address.
    expect(await control.endpoints(tenantId)).toMatchObject([
      { health: { lastSuccessAt: new Date(JANUARY).toISOString() } },
    ]);
  });

  it('disabled: the event is recorded as not delivered, and not sent', async () => {
    const { create, flush, control, sent, tenantId } = await createScene(
      async () => answered(200),
      quiet,
    );
    const [endpoint] = await control.endpoints(tenantId);
    const sessionId = await create();
    await control.updateEndpoint(endpoint?.id ?? '', { enabled: false });
    await flush();
    expect(sent).toEqual([]);
    expect(await control.deliveries({ sessionId })).toMatchObject([
      { status: 'undelivered', reason: 'disabled', attempts: [] },
    ]);
  });

  it('deleted: the event is cancelled', async () => {
    const { create, flush, control, sent, tenantId } = await createScene(
      async () => answered(200),
      quiet,
    );
    const [endpoint] = await control.endpoints(tenantId);
    const sessionId = await create();
    await control.deleteEndpoint(endpoint?.id ?? '');
    await flush();
    expect(sent).toEqual([]);
    expect(await control.deliveries({ sessionId })).toMatchObject([{ status: 'cancelled' }]);
  });
});

describe('a holder of a shared log that dies while a request is under way', () => {
  it('leaves an event that another one sends again when the lease is over', async () => {
    const shared = createSharedMemory();
    let hasDied = (): void => {};
    const died = new Promise<void>((resolve) => (hasDied = resolve));
    const dying = await createScene(
      () => {
        hasDied();
        return new Promise(() => {});
      },
      { log: createMemoryLog(shared), pollMs: 1_000, ...ONLY_ENDS },
    );
    const sessionId = await dying.createSettled();
    await died;

    const heir = await createScene(async () => answered(200), {
      log: createMemoryLog(shared),
      pollMs: 1_000,
      ...ONLY_ENDS,
    });
    await heir.service.clock.advance(29_999);
    expect(heir.sent).toEqual([]);
    await heir.service.clock.advance(1);
    expect(kindsOf(heir.sent)).toEqual(['verification.completed']);
    expect(heir.sent[0]?.body).toBe(dying.sent[0]?.body);
    expect(await heir.control.deliveries({ sessionId })).toMatchObject([
      {
        status: 'delivered',
        attempts: [
          { n: 1, outcome: 'lost', httpStatus: null },
          { n: 2, outcome: 'ok', httpStatus: 200 },
        ],
      },
    ]);
  });

  it.each<[number, string, string | null, string]>([
    [200, 'delivered', null, 'a success is never thrown away'],
    [500, 'pending', null, 'a late failure changes nothing'],
  ])('and answers %i after all: %s, %s; %s', async (late, status, reason) => {
    const shared = createSharedMemory();
    let begun = (): void => {};
    let release = (_result: WebhookResult): void => {};
    const hasBegun = new Promise<void>((resolve) => (begun = resolve));
    const slow = await createScene(
      () => {
        begun();
        return new Promise((resolve) => (release = resolve));
      },
      { log: createMemoryLog(shared), pollMs: 1_000, ...ONLY_ENDS },
    );
    const sessionId = await slow.createSettled();
    await hasBegun;
    const heir = await createScene(async () => answered(404), {
      log: createMemoryLog(shared),
      pollMs: 1_000,
      ...ONLY_ENDS,
    });
    await heir.service.clock.advance(30_000);
    expect(await heir.control.deliveries({ sessionId })).toMatchObject([
      {
        status: 'pending',
        attempts: [
          { n: 1, outcome: 'lost' },
          { n: 2, outcome: 'reject' },
        ],
      },
    ]);

    release(answered(late));
    await slow.service.close();
    expect(await heir.control.deliveries({ sessionId })).toMatchObject([
      { status, reason, attempts: [{ n: 1 }, { n: 2, outcome: 'reject' }] },
    ]);
  });

  it.each<[number, string, number, string, string]>([
    [200, 'delivered', 500, 'delivered', 'the heir’s failure decides nothing'],
    [500, 'pending', 200, 'delivered', 'its own failure decides nothing'],
  ])(
    'and answers %i while its heir is sending: %s; the heir gets %i: %s (%s)',
    async (late, statusBetween, heirs, status) => {
      const shared = createSharedMemory();
      const requests: ((result: WebhookResult) => void)[] = [];
      let begun = (): void => {};
      const hold: Sender['send'] = () => {
        begun();
        return new Promise((resolve) => requests.push(resolve));
      };
      const nextBegins = () => new Promise<void>((resolve) => (begun = resolve));
      const options = () => ({ log: createMemoryLog(shared), pollMs: 1_000, ...ONLY_ENDS });
      let beginning = nextBegins();
      const slow = await createScene(hold, options());
      const sessionId = await slow.createSettled();
      await beginning;
      beginning = nextBegins();
      const heir = await createScene(hold, options());
      const moved = heir.service.clock.advance(30_000);
      await beginning;

      requests[0]?.(answered(late));
      await slow.service.close();
      expect(await heir.control.deliveries({ sessionId })).toMatchObject([
        { status: statusBetween },
      ]);
      requests[1]?.(answered(heirs));
      await moved;
      expect(await heir.control.deliveries({ sessionId })).toMatchObject([
        {
          status,
          attempts: [
            { n: 1, outcome: late === 200 ? 'ok' : 'lost' },
            { n: 2, httpStatus: heirs },
          ],
        },
      ]);
    },
  );
});
