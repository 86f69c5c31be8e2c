import { createMockService } from 'ofage/mock';
import {
  type WebhookClaim,
  type WebhookEvent,
  type WebhookHandlerOptions,
  createClient,
  createWebhookHandler,
} from 'ofage/server';
import { describe, expect, it, onTestFinished } from 'vitest';
import { toAttemptOutcome } from '../../mock-server/send/engine.ts';
import type { WebhookRequest } from '../../mock-server/send/sender.ts';
import { SECRET, oddText, signed, toRequest } from './signed-request.ts';

const SHOP_URL = 'https://shop.example/webhooks/ofage';

const MINUTE = 60 * 1000;
const HOUR = 60 * MINUTE;

/** Connects a webhook handler to a real mock service that sends to it. */
async function connect(
  options: Partial<WebhookHandlerOptions> = {},
  kinds: WebhookEvent['event'][] | null = null,
) {
  const events: WebhookEvent[] = [];
  const sent: WebhookRequest[] = [];
  const service = createMockService({
    clock: { frozen: true },
    endpoints: [{ url: SHOP_URL, ...(kinds && { events: kinds }) }],
    sender: {
      async send(request) {
        sent.push(request);
        const status = await deliver(request);
        return { kind: 'response', status, retryAfter: null, address: null, hops: 0 };
      },
    },
  });
  onTestFinished(() => service.close());
  const { secretKey, webhookSecret, tenantId } = await service.ready;
  const webhooks = createWebhookHandler({
    secret: webhookSecret ?? '',
    onEvent: (event) => events.push(event),
    onProblem: () => {},
    ...options,
  });
  async function deliver({ headers, body }: WebhookRequest): Promise<number> {
    const request = new Request(SHOP_URL, { method: 'POST', headers, body: body.slice() });
    return (await webhooks(request)).status;
  }
  const client = createClient({
    secretKey,
    fetch: (url, init) => service.fetch(new Request(url, init)),
  });
  const settle = async (outcome: 'verified' | 'failed_age_not_met' | 'cancelled' | 'timeout') => {
    const { sessionId } = await client.createSession({ returnUrl: 'http://localhost/return' });
    await service.control.settle(sessionId, outcome);
    await service.clock.advance(10 * MINUTE);
    return sessionId;
  };
  const health = async () => (await service.control.endpoints(tenantId))[0]!.health;
  return { service, events, sent, deliver, settle, health };
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

  it('is handled by the retry after onEvent threw', async () => {
    let failures = 2;
    const handled: string[] = [];
    const { sent, deliver, settle } = await connect({
      onEvent({ event }) {
        if ((failures -= 1) >= 0) throw new Error('database is away');
        handled.push(event);
      },
    });
    await settle('verified');
    for (const request of sent.slice()) expect(await deliver(request)).toBe(204);
    expect(handled.sort()).toEqual(['session.started', 'verification.completed']);
  });
});

describe('an event that is not acknowledged', () => {
  it('is sent again until it is handled, and takes effect once', async () => {
    let calls = 0;
    const effects: string[] = [];
    const { service, sent, settle, health } = await connect(
      {
        async onEvent({ data }) {
          if ((calls += 1) <= 3) throw new Error('database is away');
          effects.push(data.sessionId);
        },
      },
      ['verification.completed'],
    );
    const sessionId = await settle('verified');
    await service.clock.advance(48 * HOUR);
    expect(effects).toEqual([sessionId]);
    expect(calls).toBe(4);
    expect(new Set(sent.map(({ body }) => Buffer.from(body).toString('hex'))).size).toBe(1);
    const [delivery] = await service.control.deliveries({ sessionId });
    expect(delivery?.status).toBe('delivered');
    expect(delivery?.attempts.map(({ httpStatus }) => httpStatus)).toEqual([500, 500, 500, 204]);
    expect(await health()).toMatchObject({ state: 'healthy', undelivered: 0, pending: 0 });
  });
});

describe('the longest possible event', () => {
  it('is accepted at the lowest limit for bodies', async () => {
    const { service, sent, health } = await connect({ maxBodyBytes: 262_144 });
    const { secretKey } = await service.ready;
    // The text cannot grow in the service: invalid UTF-8 is refused and JSON escapes keep their length.
    const body = new Uint8Array(65_536).fill(0x61);
    const frame = ['{"returnUrl":"http://localhost/","externalUserId":"', '"}'] as const;
    body.set(new TextEncoder().encode(frame[0]));
    body.set(new TextEncoder().encode(frame[1]), body.length - frame[1].length);
    const created = await service.fetch(
      new Request('https://api.ofage.example/api/v1/sessions/create', {
        method: 'POST',
        headers: { authorization: `Bearer ${secretKey}`, 'content-type': 'application/json' },
        body,
      }),
    );
    const { sessionId } = (await created.json()) as { sessionId: string };
    await service.control.settle(sessionId, 'verified');
    await service.clock.advance(MINUTE);
    expect(sent).toHaveLength(2);
    for (const { body: event } of sent) {
      expect(event.length).toBeGreaterThan(65_000);
      expect(event.length).toBeLessThan(70_000);
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
    const { service, settle } = await connect(
      {
        onEvent() {
          if (hasCrashed) return handled.push(event);
          hasCrashed = true;
          throw new Error('crashed');
        },
        store: {
          async claim(key, _token, leaseMs): Promise<WebhookClaim> {
            const nowMs = (await service.clock.now()).getTime();
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
    const [delivery] = await service.control.deliveries();
    return { service, handled, delivery };
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
      const { service, handled, delivery } = await crashAt(event);
      expect(handled).toEqual([]);
      expect(delivery).toMatchObject({ status: 'undelivered', reason: 'attempts' });
      const endpointId = delivery?.endpointId ?? '';
      await service.control.testEndpoint(endpointId);
      await service.control.redeliver(endpointId);
      await service.clock.advance(MINUTE);
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

describe('the service classifies the response to', () => {
  const classOf = async (options: Partial<WebhookHandlerOptions>, secret = SECRET) => {
    const webhooks = createWebhookHandler({
      secret: SECRET,
      onEvent: () => {},
      onProblem: () => {},
      ...options,
    });
    const response = await webhooks(toRequest(signed(oddText(), secret)));
    const { class: name, retryAfterMs } = toAttemptOutcome(
      {
        kind: 'response',
        status: response.status,
        retryAfter: response.headers.get('retry-after'),
        address: null,
        hops: 0,
      },
      { durationMs: 1, bodySha256: '', signature: null, nowMs: 0 },
    );
    return [name, retryAfterMs];
  };
  const claims = (claim: 'done' | 'in_progress') => ({
    store: { claim: async () => claim, complete: async () => {}, release: async () => {} },
  });

  it.each([
    { why: 'a handled event', options: {}, expected: ['ok', null] },
    { why: 'a copy of a handled event', options: claims('done'), expected: ['ok', null] },
    {
      why: 'a copy of an event in progress',
      options: claims('in_progress'),
      expected: ['fail', 1000],
    },
    {
      why: 'an exception in onEvent',
      options: { onEvent: () => Promise.reject(new Error('x')) },
      expected: ['fail', null],
    },
    { why: 'an empty secret', options: { secret: () => '' }, expected: ['fail', null] },
    { why: 'a wrong secret', options: { secret: 'other' }, expected: ['reject', null] },
  ])('$why as $expected', async ({ options, expected }) => {
    expect(await classOf(options)).toEqual(expected);
  });
});
