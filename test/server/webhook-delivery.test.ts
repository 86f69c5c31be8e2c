import {
  type WebhookClaim,
  type WebhookEvent,
  type WebhookHandlerOptions,
  createWebhookHandler,
} from 'ofage/server';
import { describe, expect, it } from 'vitest';
import { RETURN_URL } from '../support/api.ts';
import { aMock, answered, HOOK, type SentWebhook } from '../support/a-mock.ts';

const MINUTE = 60 * 1000;
const HOUR = 60 * MINUTE;

/** Connects a webhook handler to a mock that sends to it. */
async function connect(
  options: Partial<WebhookHandlerOptions> = {},
  kinds: WebhookEvent['event'][] | null = null,
) {
  const events: WebhookEvent[] = [];
  const mock = await aMock({
    endpoints: [{ url: HOOK, ...(kinds && { events: kinds }) }],
    answer: async (_url, n) => answered(await deliver(mock.sent[n - 1]!)),
  });
  const { webhookSecret } = await mock.service.ready;
  const webhooks = createWebhookHandler({
    secret: webhookSecret ?? '',
    onEvent: (event) => events.push(event),
    onProblem: () => {},
    ...options,
  });
  const deliver = async (request: Pick<SentWebhook, 'headers' | 'body'>): Promise<number> =>
    (await webhooks.handle({ method: 'POST', ...request })).status;
  const settle = async (outcome: 'verified' | 'failed_age_not_met' | 'cancelled' | 'timeout') => {
    const { sessionId } = await mock.create();
    await mock.control.settle(sessionId, outcome);
    await mock.clock.advance(10 * MINUTE);
    return sessionId as string;
  };
  const health = async () => (await mock.control.endpoints(mock.tenantId))[0]!.health;
  return { ...mock, events, deliver, settle, health };
}

describe('an event of the service', () => {
  it('reaches onEvent once, even if all events are sent again in another order', async () => {
    const { events, sent, deliver, settle } = await connect();
    for (const outcome of ['verified', 'failed_age_not_met', 'cancelled', 'timeout'] as const) {
      await settle(outcome);
    }
    expect(events.map(({ event }) => event).sort()).toEqual([
      ...Array.from({ length: 4 }, () => 'session.started'),
      'session.timeout',
      'verification.cancelled',
      'verification.completed',
      'verification.failed',
    ]);
    for (const request of sent.toReversed()) expect(await deliver(request)).toBe(204);
    expect(events).toHaveLength(8);
  });

  it('is sent again until it is handled, and takes effect once', async () => {
    let calls = 0;
    const effects: string[] = [];
    const { control, clock, sent, settle, health } = await connect(
      {
        async onEvent({ data }) {
          calls += 1;
          if (calls <= 3) throw new Error('database is away');
          effects.push(data.sessionId);
        },
      },
      ['verification.completed'],
    );
    const sessionId = await settle('verified');
    await clock.advance(48 * HOUR);
    expect(effects).toEqual([sessionId]);
    expect(calls).toBe(4);
    expect(new Set(sent.map(({ body }) => body)).size).toBe(1);
    const [delivery] = await control.deliveries({ sessionId });
    expect(delivery?.status).toBe('delivered');
    expect(delivery?.attempts.map(({ httpStatus }) => httpStatus)).toEqual([500, 500, 500, 204]);
    expect(await health()).toMatchObject({ state: 'healthy', undelivered: 0, pending: 0 });
  });
});

describe('the longest possible event', () => {
  it('is accepted at the lowest limit for bodies', async () => {
    const { create, control, clock, sent, health } = await connect({ maxBodyBytes: 262_144 });
    // The text cannot grow in the service: invalid UTF-8 is refused and JSON escapes keep their length.
    const frame = JSON.stringify({ returnUrl: RETURN_URL, externalUserId: '' });
    const { sessionId } = await create({ externalUserId: 'a'.repeat(65_536 - frame.length) });
    await control.settle(sessionId, 'verified');
    await clock.advance(MINUTE);
    expect(sent).toHaveLength(2);
    for (const { body } of sent) {
      expect(body.length).toBeGreaterThan(65_000);
      expect(body.length).toBeLessThan(70_000);
    }
    expect(await health()).toMatchObject({ state: 'healthy', pending: 0, undelivered: 0 });
  });
});

describe('an event during which the server crashed', () => {
  /** Simulates a crash: the claim is not released and lasts until its lease expires. */
  async function crashAt(
    event: WebhookEvent['event'],
    options: Partial<WebhookHandlerOptions> = {},
  ) {
    const handled: string[] = [];
    const takenUntilMs = new Map<string, number>();
    let hasCrashed = false;
    const { control, clock, settle } = await connect(
      {
        onEvent() {
          if (hasCrashed) return handled.push(event);
          hasCrashed = true;
          throw new Error('crashed');
        },
        store: {
          async claim(key, _token, leaseMs): Promise<WebhookClaim> {
            const nowMs = (await clock.now()).getTime();
            if (nowMs < (takenUntilMs.get(key) ?? 0)) return 'in_progress';
            takenUntilMs.set(key, nowMs + leaseMs);
            return 'new';
          },
          complete: async () => {},
          release: async () => {},
        },
        ...options,
      },
      [event],
    );
    await settle(event === 'session.timeout' ? 'timeout' : 'verified');
    const [delivery] = await control.deliveries();
    return { control, clock, handled, delivery };
  }

  it('is handled once its claim has expired, if it is a completion', async () => {
    const { handled, delivery } = await crashAt('verification.completed');
    expect(handled).toEqual(['verification.completed']);
    expect(delivery?.attempts.map(({ httpStatus }) => httpStatus)).toEqual([
      500, 503, 503, 503, 204,
    ]);
  });

  it.each(['session.timeout', 'session.started'] as const)(
    'becomes undelivered before its claim expires, if it is a %s, and is handled after a redelivery',
    async (event) => {
      const { control, clock, handled, delivery } = await crashAt(event);
      expect(handled).toEqual([]);
      expect(delivery).toMatchObject({ status: 'undelivered', reason: 'attempts' });
      const endpointId = delivery?.endpointId ?? '';
      await control.testEndpoint(endpointId);
      await control.redeliver(endpointId);
      await clock.advance(MINUTE);
      expect(handled).toEqual([event]);
    },
  );

  it.each([
    ['session.timeout', 10_000],
    ['session.started', 2_000],
  ] as const)(
    'is delivered in time, if it is a %s and the lease lasts %i ms',
    async (event, leaseMs) => {
      const { handled, delivery } = await crashAt(event, { leaseMs });
      expect(handled).toEqual([event]);
      expect(delivery).toMatchObject({ status: 'delivered' });
    },
  );
});
