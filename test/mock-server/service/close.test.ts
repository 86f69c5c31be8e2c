import { createMockService, type MockService, type ServiceOptions } from 'ofage-mock';
import { describe, expect, it } from 'vitest';
import { jsonHeaders, RETURN_URL } from '../../support/api.ts';
import { answered, HOOK, ORIGIN } from '../../support/a-mock.ts';
import { createSharedMemory, createSharedMemoryLog } from '../../support/shared-memory-log.ts';
import { waitFor } from '../../support/wait-for.ts';

/** A service whose receiver never answers, and a promise of the first request to it. */
async function openWithSilentReceiver(options: ServiceOptions = {}) {
  let begin = (): void => {};
  const begun = new Promise<void>((resolve) => (begin = resolve));
  const service = createMockService({
    endpoints: [{ url: HOOK }],
    sender: {
      send() {
        begin();
        return new Promise(() => {});
      },
    },
    ...options,
  });
  const { tenantId, secretKey } = await service.ready;
  const [endpoint] = await service.control.endpoints(tenantId);
  const create = (init: RequestInit = {}) =>
    service.fetch(
      new Request(`${ORIGIN}/api/v1/sessions/create`, {
        method: 'POST',
        headers: jsonHeaders(secretKey),
        body: JSON.stringify({ returnUrl: RETURN_URL }),
        ...init,
      }),
    );
  return { service, create, begun, endpointId: endpoint?.id ?? '' };
}

type Opened = Awaited<ReturnType<typeof openWithSilentReceiver>>;

/** Closes the service, and returns the time that it took in milliseconds. */
async function timeOfClose(service: Pick<MockService, 'close'>): Promise<number> {
  const startedAtMs = performance.now();
  await service.close();
  return performance.now() - startedAtMs;
}

/** Resolves once the injected fault is in use. */
const faultTaken = (service: MockService) =>
  waitFor(async () => expect(await service.control.faults()).toEqual([]));

/** What a closing service may have to wait for. Each starts it, and resolves when it is in progress. */
const WAITS: Record<string, (opened: Opened) => Promise<unknown>> = {
  async 'a webhook'({ service, begun }) {
    await service.control.trigger({ name: 'verified' });
    await begun;
  },
  async 'a webhook with the fault slow'({ service }) {
    await service.control.addFault({ operation: 'webhook', fault: 'slow' });
    await service.control.trigger({ name: 'verified' });
    await faultTaken(service);
  },
  async 'a clock move'({ service, begun }) {
    await service.clock.freeze();
    await service.control.trigger({ name: 'verified' });
    void service.clock.advance(3_600_000).catch(() => {});
    await begun;
  },
  async 'a clock move that waits for another'({ service, begun }) {
    await service.control.trigger({ name: 'verified' });
    for (let n = 0; n < 3; n += 1) void service.clock.advance(3_600_000).catch(() => {});
    await begun;
  },
  async 'a test of an endpoint'({ service, begun, endpointId }) {
    void service.control.testEndpoint(endpointId).catch(() => {});
    await begun;
  },
  async 'a response with the fault slow'({ service, create }) {
    await service.control.addFault({ operation: 'create', fault: 'slow' });
    void create();
    await faultTaken(service);
  },
  async 'a request whose body does not arrive'({ create }) {
    const body = new ReadableStream();
    void create({ body, duplex: 'half' } as RequestInit).catch(() => {});
  },
};

describe('close()', () => {
  it.each(Object.entries(WAITS))('takes at most a second during %s', async (_what, begin) => {
    const opened = await openWithSilentReceiver();
    await begin(opened);
    expect(await timeOfClose(opened.service)).toBeLessThan(1_000);
  });

  it('takes at most a second while the name of a configured endpoint is resolved', async () => {
    const service = createMockService({
      endpoints: [{ url: HOOK }],
      resolve: () => new Promise(() => {}),
    });
    service.ready.catch(() => {});
    expect(await timeOfClose(service)).toBeLessThan(1_000);
  });

  it('waits for nothing if nothing is in progress, and may be called twice', async () => {
    const { service } = await openWithSilentReceiver();
    await service.control.trigger({ name: 'never' });
    const closing = timeOfClose(service);
    await service.close();
    expect(await closing).toBeLessThan(400);
  });

  it('records a request that ends within half a second', async () => {
    const shared = createSharedMemory();
    let answer = (): void => {};
    let begin = (): void => {};
    const begun = new Promise<void>((resolve) => (begin = resolve));
    const { service } = await openWithSilentReceiver({
      log: createSharedMemoryLog(shared),
      sender: {
        send() {
          begin();
          return new Promise((resolve) => (answer = () => resolve(answered(204))));
        },
      },
    });
    const { id } = await service.control.trigger({ name: 'never' });
    await begun;
    const closing = service.close();
    answer();
    await closing;
    const next = createMockService({ log: createSharedMemoryLog(shared) });
    expect(await next.control.deliveries({ sessionId: id })).toMatchObject([
      { event: 'session.started', status: 'delivered', attempts: [{ outcome: 'ok' }] },
    ]);
    await next.close();
  });

  it.each([true, false])(
    'releases what it aborts, so that the next service sends it at once (shared log: %s)',
    async (isShared) => {
      const shared = createSharedMemory();
      const open = () => ({ ...createSharedMemoryLog(shared), isShared });
      const { service, begun } = await openWithSilentReceiver({ log: open() });
      const started = await service.control.trigger({ name: 'never' });
      const cancelled = await service.control.trigger({ name: 'cancelled' });
      const verified = await service.control.trigger({ name: 'verified' });
      await begun;
      await service.close();

      const sent: string[] = [];
      const next = createMockService({
        log: open(),
        sender: {
          async send({ body }) {
            sent.push(new TextDecoder().decode(body));
            return answered(204);
          },
        },
      });
      // The lease would last for half a minute.
      await next.clock.advance(0);
      for (const { id } of [started, cancelled, verified]) {
        const deliveries = await next.control.deliveries({ sessionId: id });
        expect(deliveries.map(({ status }) => status)).toEqual(deliveries.map(() => 'delivered'));
      }
      const [delivery] = await next.control.deliveries({ sessionId: started.id });
      expect(delivery).toMatchObject({ attempts: [{ outcome: 'lost' }, { n: 2, outcome: 'ok' }] });
      expect(sent).toHaveLength(5);
      await next.close();
    },
  );

  it('releases the test of an endpoint, so that another service can test it at once', async () => {
    const shared = createSharedMemory();
    const { service, begun, endpointId } = await openWithSilentReceiver({
      log: createSharedMemoryLog(shared),
    });
    const testing = expect(service.control.testEndpoint(endpointId)).rejects.toThrow(
      'The service is closed',
    );
    await begun;
    await service.close();
    await testing;
    const next = createMockService({
      log: createSharedMemoryLog(shared),
      sender: { send: async () => answered(204) },
    });
    expect(await next.control.testEndpoint(endpointId)).toMatchObject({ success: true });
    await next.close();
  });

  it('records a slow response that it cuts short', async () => {
    const shared = createSharedMemory();
    const { service, create } = await openWithSilentReceiver({
      log: createSharedMemoryLog(shared),
      endpoints: [],
    });
    await service.control.addFault({ operation: 'create', fault: 'slow' });
    const answering = create();
    await faultTaken(service);
    await service.close();
    expect((await answering).status).toBe(201);
    const next = createMockService({ log: createSharedMemoryLog(shared) });
    expect(await next.control.requests()).toMatchObject([{ operation: 'create', fault: 'slow' }]);
    await next.close();
  });

  it('ends a clock move at its present instant, and time runs on from there', async () => {
    const shared = createSharedMemory();
    const { service, begun } = await openWithSilentReceiver({
      log: createSharedMemoryLog(shared),
    });
    await service.control.trigger({ name: 'verified' });
    await begun;
    const moving = expect(service.clock.advance(3_600_000)).rejects.toThrow(
      'The service is closed',
    );
    await service.close();
    await moving;
    const next = createMockService({ log: createSharedMemoryLog(shared) });
    const { now, frozen } = await next.clock.read();
    expect(frozen).toBe(false);
    expect(Math.abs(Date.parse(now) - Date.now())).toBeLessThan(60_000);
    await next.close();
  });
});
