import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { AttemptResource, FaultInput } from 'ofage/mock';
import type { WebhookResult } from '../../../mock-server/send/sender.ts';
import { createManualClock } from '../../support/manual-clock.ts';
import { aMock, type Mock } from '../../support/a-mock.ts';

const URL = 'https://shop.example/hook';

/** The bodies that reach the receiver, which accepts all of them. */
let received: string[];
let my: Mock;
const start = async (realClock?: ReturnType<typeof createManualClock>): Promise<void> => {
  received = [];
  my = await aMock({
    endpoints: [{ url: URL, events: ['verification.completed', 'verification.failed'] }],
    sender: {
      async send({ body }): Promise<WebhookResult> {
        received.push(new TextDecoder().decode(body));
        return { kind: 'response', status: 204, retryAfter: null, address: '192.0.2.1', hops: 0 };
      },
    },
    ...(realClock && { realClock }),
  });
};
beforeEach(() => start());

const ask = (fault: FaultInput['fault'], more: Partial<FaultInput> = {}) =>
  my.control.addFault({ operation: 'webhook', fault, ...more });

async function settle(outcome: 'verified' | 'failed_age_not_met' = 'verified'): Promise<string> {
  const { sessionId } = await my.create();
  await my.control.settle(sessionId, outcome);
  await my.clock.advance(0);
  return sessionId;
}

async function attemptsOf(sessionId: string): Promise<AttemptResource[]> {
  const deliveries = await my.control.deliveries({ sessionId });
  return deliveries.flatMap(({ attempts }) => attempts);
}

describe('a webhook fault', () => {
  it.each<[FaultInput['fault'], number, Partial<AttemptResource>, string]>([
    [
      '401',
      1,
      { outcome: 'reject', httpStatus: 401 },
      'the receiver never gets the rejected request',
    ],
    [
      '410',
      1,
      { outcome: 'reject', httpStatus: 410 },
      'a 410 counts as a rejection, but the event is sent again',
    ],
    ['429', 1, { outcome: 'fail', httpStatus: 429 }, 'the receiver limits the rate'],
    ['500', 1, { outcome: 'fail', httpStatus: 500 }, 'the receiver fails'],
    ['503', 1, { outcome: 'fail', httpStatus: 503 }, 'the receiver is busy'],
    [
      'reset',
      1,
      { outcome: 'fail', error: 'reset' },
      'the connection breaks before the request is sent',
    ],
    ['hang', 1, { outcome: 'fail', error: 'timeout' }, 'the receiver does not respond'],
    [
      'duplicate',
      2,
      { outcome: 'fail', error: 'reset' },
      'the receiver accepts, but the response is lost',
    ],
  ])(
    '%s: number of copies that the receiver has after the retries: %i ($3)',
    async (fault, times, first) => {
      await ask(fault);
      const sessionId = await settle();
      expect(received).toHaveLength(times - 1);
      await my.clock.advance(60_000);
      expect(received).toHaveLength(times);
      // All bodies are identical, byte for byte.
      expect(new Set(received).size).toBe(1);
      const attempts = await attemptsOf(sessionId);
      expect(attempts).toMatchObject([
        { ...first, fault },
        { outcome: 'ok', httpStatus: 204, fault: null },
      ]);
      expect(await my.control.faults()).toEqual([]);
    },
  );

  it('applies to `count` attempts, across events', async () => {
    await ask('500', { count: 3 });
    await settle();
    await settle();
    await my.clock.advance(1);
    const [fault] = await my.control.faults();
    expect(received).toEqual([]);
    expect(fault).toMatchObject({ operation: 'webhook', fault: '500', remaining: 1 });
    await my.clock.advance(3_600_000);
    expect(received).toHaveLength(2);
    expect(await my.control.faults()).toEqual([]);
  });

  it('lets later events overtake the failed one', async () => {
    await ask('503');
    await settle('failed_age_not_met');
    await settle('verified');
    await my.clock.advance(60_000);
    const kinds = received.map((body) => (JSON.parse(body) as { event: string }).event);
    expect(kinds).toEqual(['verification.completed', 'verification.failed']);
  });

  it('with a tenantId does not apply to other accounts', async () => {
    const { secretKey } = my;
    const other = await my.control.createTenant({ name: 'Another' });
    await ask('500', { tenantId: other.id });
    expect((await my.api('create', secretKey, { returnUrl: 'http://localhost/' })).status).toBe(
      201,
    );
    await settle();
    expect(received).toHaveLength(1);
    expect(await my.control.faults()).toHaveLength(1);
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
      expect(received).toEqual([]);
      await realClock.pass(1);
      await moved;
      expect(received).toHaveLength(times);
      expect(await attemptsOf(sessionId)).toMatchObject([{ ...expected, fault: 'slow' }]);
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
