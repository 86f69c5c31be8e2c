import type { AttemptResource, FaultInput } from 'ofage-mock';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { FAULT_KINDS, FAULT_OPERATIONS } from '../../../mock-server/store/rows.ts';
import { aMock, answered, HOOK, type Mock } from '../../support/a-mock.ts';
import { createManualClock } from '../../support/manual-clock.ts';

const returnUrl = 'http://localhost/';
let my: Mock;
/** The bodies that reach the receiver, which accepts all of them. */
let received: () => string[];
const start = async (realClock?: ReturnType<typeof createManualClock>): Promise<void> => {
  my = await aMock({
    endpoints: [{ url: HOOK, events: ['verification.completed', 'verification.failed'] }],
    ...(realClock && { realClock }),
  });
  received = () => my.sent.map(({ body }) => body);
};
beforeEach(() => start());

describe('a fault', () => {
  it('is added, listed and removed', async () => {
    const added = await my.call('POST', '/faults', { operation: 'create', fault: '500' });
    expect(added).toMatchObject({
      status: 201,
      body: {
        id: expect.any(String),
        operation: 'create',
        fault: '500',
        tenantId: null,
        remaining: 1,
        delayMs: 20_000,
        createdAt: '2026-01-01T00:00:00.000Z',
      },
    });
    await my.call('POST', '/faults', { operation: 'hosted', fault: 'slow', count: 3 });
    expect((await my.call('GET', '/faults')).body.items).toHaveLength(2);
    expect((await my.call('GET', '/state')).body.faults).toHaveLength(2);
    expect((await my.call('DELETE', `/faults/${added.body.id}`)).status).toBe(204);
    expect((await my.call('DELETE', `/faults/${added.body.id}`)).status).toBe(404);
    expect((await my.call('DELETE', '/faults')).status).toBe(204);
    expect((await my.call('GET', '/faults')).body.items).toEqual([]);
  });

  it('is used up before the next fault for the same operation', async () => {
    const { secretKey } = my;
    await my.control.addFault({ operation: 'create', fault: '500' });
    await my.control.addFault({ operation: 'validate', fault: '503' });
    await my.control.addFault({ operation: 'create', fault: '429' });
    const statuses = [];
    for (let n = 0; n < 3; n += 1) {
      statuses.push((await my.api('create', secretKey, { returnUrl })).status);
    }
    expect(statuses).toEqual([500, 429, 201]);
  });

  it('has no effect on the session, which can still be validated after a fault', async () => {
    const { secretKey } = my;
    const { sessionId } = await my.create();
    await my.control.settle(sessionId, 'verified');
    await my.control.addFault({ operation: 'validate', fault: 'malformed' });
    const cut = await my.api('validate', secretKey, { sessionId });
    expect(cut).toMatchObject({ status: 200, text: '{"sessionId":"', body: undefined });
    expect(cut.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect((await my.api('validate', secretKey, { sessionId })).body.verified).toBe(true);
  });

  it('is not used up by a request with an unknown key', async () => {
    await my.control.addFault({ operation: 'create', fault: '500' });
    expect((await my.api('create', 'sk_unknown', { returnUrl })).status).toBe(401);
    expect(await my.control.faults()).toHaveLength(1);
  });

  it('can apply to the requests of the hosted page', async () => {
    const { sessionToken } = await my.create();
    await my.control.addFault({ operation: 'hosted', fault: '500', count: 2 });
    expect((await my.hosted('submit', sessionToken)).status).toBe(500);
    expect((await my.hosted('session', sessionToken)).status).toBe(500);
    expect((await my.hosted('submit', sessionToken)).body.status).toBe('verified');
  });

  it('of the kind slow delays the normal response in real time', async () => {
    const realClock = createManualClock();
    const slow = await aMock({ realClock });
    const { secretKey } = slow;
    await slow.control.addFault({ operation: 'create', fault: 'slow', delayMs: 5_000 });
    let answeredStatus = 0;
    const { sleepers } = realClock;
    const sent = slow.api('create', secretKey, { returnUrl }).then(({ status }) => {
      answeredStatus = status;
    });
    // Tokens are signed off the main thread, so the request takes a while to reach the delay.
    await vi.waitUntil(() => realClock.sleepers > sleepers, 10_000);
    await realClock.pass(4_999);
    expect(answeredStatus).toBe(0);
    await realClock.pass(1);
    await sent;
    expect(answeredStatus).toBe(201);
  });
});

const ask = (fault: FaultInput['fault'], more: Partial<FaultInput> = {}) =>
  my.control.addFault({ operation: 'webhook', fault, ...more });

async function settle(): Promise<string> {
  const { sessionId } = await my.create();
  await my.control.settle(sessionId, 'verified');
  await my.clock.advance(0);
  return sessionId;
}

async function attemptsOf(sessionId: string): Promise<AttemptResource[]> {
  const deliveries = await my.control.deliveries({ sessionId });
  return deliveries.flatMap(({ attempts }) => attempts);
}

describe('a webhook fault', () => {
  it.each<[FaultInput['fault'], number, Partial<AttemptResource>, string]>([
    ['401', 1, { outcome: 'reject', httpStatus: 401 }, 'the receiver never gets the request'],
    ['410', 1, { outcome: 'reject', httpStatus: 410 }, 'a rejection, but it is sent again'],
    ['429', 1, { outcome: 'fail', httpStatus: 429 }, 'the receiver limits the rate'],
    ['500', 1, { outcome: 'fail', httpStatus: 500 }, 'the receiver fails'],
    ['503', 1, { outcome: 'fail', httpStatus: 503 }, 'the receiver is busy'],
    ['reset', 1, { outcome: 'fail', error: 'reset' }, 'the connection breaks before the request'],
    ['hang', 1, { outcome: 'fail', error: 'timeout' }, 'the receiver does not respond'],
    ['duplicate', 2, { outcome: 'fail', error: 'reset' }, 'it accepts, but the response is lost'],
  ])(
    '%s: number of copies that the receiver has after the retries: %i ($3)',
    async (fault, times, first) => {
      await ask(fault);
      const sessionId = await settle();
      expect(received()).toHaveLength(times - 1);
      await my.clock.advance(60_000);
      expect(received()).toHaveLength(times);
      // All bodies are identical, byte for byte.
      expect(new Set(received()).size).toBe(1);
      const attempts = await attemptsOf(sessionId);
      expect(attempts).toMatchObject([
        { ...first, fault },
        { outcome: 'ok', httpStatus: 204, fault: null },
      ]);
      expect(await my.control.faults()).toEqual([]);
    },
  );

  it('duplicate leaves the response of a receiver that rejects the event as it is', async () => {
    const { control, clock } = await aMock({
      endpoints: [{ url: HOOK, events: ['verification.completed'] }],
      answer: () => answered(401),
    });
    await control.addFault({ operation: 'webhook', fault: 'duplicate' });
    const { id } = await control.trigger({ name: 'verified' });
    await clock.advance(0);
    const [delivery] = await control.deliveries({ sessionId: id });
    expect(delivery?.attempts).toMatchObject([
      { outcome: 'reject', httpStatus: 401, error: null, fault: 'duplicate' },
    ]);
  });

  it('applies to `count` attempts, across events', async () => {
    await ask('500', { count: 3 });
    await settle();
    await settle();
    await my.clock.advance(1);
    const [fault] = await my.control.faults();
    expect(received()).toEqual([]);
    expect(fault).toMatchObject({ operation: 'webhook', fault: '500', remaining: 1 });
    await my.clock.advance(3_600_000);
    expect(received()).toHaveLength(2);
    expect(await my.control.faults()).toEqual([]);
  });

  it('does not apply to a test of the endpoint', async () => {
    await ask('500');
    const { tenantId } = my;
    const [endpoint] = await my.control.endpoints(tenantId);
    expect(await my.control.testEndpoint(endpoint!.id)).toMatchObject({ success: true });
    expect(await my.control.faults()).toHaveLength(1);
  });

  it.each<[number, number, Partial<AttemptResource>, string]>([
    [
      5_000,
      1,
      { outcome: 'ok', httpStatus: 204 },
      'it is late, but within the time limit of an attempt',
    ],
    [15_000, 0, { outcome: 'fail', error: 'timeout' }, 'it reaches the time limit of an attempt'],
  ])(
    'slow, with a delay of %i ms: number of copies that arrive: %i ($3)',
    async (delayMs, times, expected) => {
      await my.service.close();
      const realClock = createManualClock();
      await start(realClock);
      await ask('slow', { delayMs });
      const { sessionId } = await my.create();
      const { sleepers } = realClock;
      await my.control.settle(sessionId, 'verified');
      const moved = my.clock.advance(0);
      await vi.waitUntil(() => realClock.sleepers > sleepers, 10_000);
      await realClock.pass(delayMs - 1);
      expect(received()).toEqual([]);
      await realClock.pass(1);
      await moved;
      expect(received()).toHaveLength(times);
      expect(await attemptsOf(sessionId)).toMatchObject([{ ...expected, fault: 'slow' }]);
    },
  );
});

describe('a snapshot', () => {
  it.each(FAULT_OPERATIONS.flatMap((operation) => FAULT_KINDS.map((fault) => [operation, fault])))(
    'may have for %s the fault %s if it can be added',
    async (operation, fault) => {
      const isAdded = (await my.call('POST', '/faults', { operation, fault })).status === 201;
      await my.control.clearFaults();
      await my.control.addFault({ operation: 'create', fault: '500' });
      const { tables, ...rest } = await my.control.snapshot();
      const faults = (tables as any).faults.map((row: object) => ({ ...row, operation, fault }));
      const loading = my.control.loadSnapshot({ ...rest, tables: { ...tables, faults } });
      if (isAdded) await loading;
      else
        await expect(loading).rejects.toThrow(
          `tables.faults[0].fault must be one of the following values for ${operation}: `,
        );
    },
  );
});

describe('the doctor, with injected faults,', () => {
  it('reports no problem with the receiver', async () => {
    for (const fault of ['401', '500', 'reset', 'hang'] as const) await ask(fault);
    await settle();
    await my.clock.advance(3_600_000);
    const { findings } = await my.control.doctor();
    expect(findings.map(({ code }) => code).filter((code) => code.startsWith('webhook'))).toEqual(
      [],
    );
  });

  it('reports that an event was sent twice after a duplicate fault', async () => {
    await ask('duplicate');
    await settle();
    await my.clock.advance(60_000);
    const { findings } = await my.control.doctor();
    expect(findings.map(({ code }) => code)).toContain('webhook_repeated');
  });
});

describe('a call of the hosted page that is refused', () => {
  it.each(['429', '500', '503', 'malformed'] as const)(
    'with the fault %s does not count as an open page',
    async (fault) => {
      const { control, create, hosted } = await aMock();
      const { sessionId, sessionToken } = await create();
      await control.addFault({ operation: 'hosted', fault });
      await hosted('heartbeat', sessionToken);
      expect(await control.session(sessionId)).toMatchObject({ openDevices: [] });
      await hosted('heartbeat', sessionToken);
      expect(await control.session(sessionId)).toMatchObject({ openDevices: ['first'] });
    },
  );
});
