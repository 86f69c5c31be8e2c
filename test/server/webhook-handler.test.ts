import {
  OfAgeError,
  type WebhookEvent,
  type WebhookStore,
  createMemoryWebhookStore,
  createWebhookHandler,
} from 'ofage/server';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { settle } from '../support/manual-clock.ts';
import { STARTED, setUp } from './a-webhook-handler.ts';
import { SESSION_ID, eventBody } from './builders.ts';
import { SECRET, oddText, signed, toRequest } from './signed-request.ts';

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

describe('the handler of createWebhookHandler() responds with', () => {
  it('204 after passing the event to onEvent', async () => {
    const { send, events, keys, problems } = setUp();
    const response = await send(signed(oddText()));
    expect(response.status).toBe(204);
    expect(await response.text()).toBe('');
    expect(events).toEqual([eventBody({ tenantId: 't\u00e9nant-1' })]);
    expect(keys).toEqual([eventBody()['eventId']]);
    expect(problems).toEqual([]);
  });

  it.each([
    { why: 'is missing', request: { ...signed(STARTED), headers: {} }, code: 'missing' },
    { why: 'was made with another secret', request: signed(STARTED, 'other'), code: 'mismatch' },
  ])('401 if the signature $why', async ({ request, code }) => {
    const { send, events, codes } = setUp();
    const response = await send(request);
    expect(response.status).toBe(401);
    expect(await response.text()).toBe('');
    expect(codes()).toEqual([`signature_${code}`]);
    expect(events).toEqual([]);
  });

  it.each(['', '[]', '{"event":'])(
    '400 for a signed body that is not a JSON object: "%s"',
    async (text) => {
      const { send, codes } = setUp();
      expect((await send(signed(text))).status).toBe(400);
      expect(codes()).toEqual(['payload_invalid']);
    },
  );

  it.each(['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS'])('405 for %s', async (method) => {
    const { webhooks, codes, problems } = setUp();
    const response = await webhooks(new Request('https://shop.example', { method }));
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe('POST');
    expect(codes()).toEqual(['method_not_allowed']);
    expect(String(problems[0]?.error)).toContain(`must be POST, got ${method}. See `);
  });

  it('413 for one byte more than maxBodyBytes, regardless of the signature', async () => {
    const { send, codes } = setUp({ maxBodyBytes: 262_144 });
    const exact = oddText().padStart(262_144); // leading white space is valid JSON
    expect((await send(signed(exact))).status).toBe(204);
    expect((await send(signed(` ${exact}`))).status).toBe(413);
    expect((await send(signed(` ${exact}`, 'other'))).status).toBe(413);
    expect(codes()).toEqual(['body_too_large', 'body_too_large']);
  });

  it('503 with retry-after while a copy is in progress, and 204 afterwards', async () => {
    let finish = (): void => {};
    let isRunning = (): void => {};
    const running = new Promise<void>((resolve) => (isRunning = resolve));
    const onEvent = vi.fn(() => {
      isRunning();
      return new Promise<void>((resolve) => (finish = resolve));
    });
    const { send, codes } = setUp({ onEvent });
    const first = send(signed(oddText()));
    await running;
    const second = await send(signed(oddText()));
    expect(second.status).toBe(503);
    // The delay is one second, because the service holds back all events of the endpoint for that long.
    expect(second.headers.get('retry-after')).toBe('1');
    finish();
    expect((await first).status).toBe(204);
    expect((await send(signed(oddText()))).status).toBe(204);
    expect(onEvent).toHaveBeenCalledOnce();
    expect(codes()).toEqual(['event_in_progress']);
  });

  it('500 when onEvent throws, and calls it again for the next copy', async () => {
    const failures: unknown[] = [new Error('database is away'), undefined];
    let runs = 0;
    const { send, problems } = setUp({
      onEvent() {
        runs += 1;
        if (failures.length > 0) throw failures.shift();
      },
    });
    const statuses = [];
    for (let copy = 0; copy < 4; copy += 1) {
      statuses.push((await send(signed(oddText()))).status);
    }
    expect(statuses).toEqual([500, 500, 204, 204]);
    expect(runs).toBe(3);
    expect(problems).toMatchObject([
      { status: 500, error: { message: 'database is away' }, event: { tenantId: 't\u00e9nant-1' } },
      { status: 500, error: undefined },
    ]);
  });

  it.each(['signature_mismatch', 'session_not_found', 'event_unknown', 'payload_invalid'] as const)(
    '500 when onEvent throws an OfAgeError with code %s, which does not concern the request',
    async (code) => {
      const onEvent = () => Promise.reject(new OfAgeError(code, 'from a different call'));
      expect((await setUp({ onEvent }).send(signed(oddText()))).status).toBe(500);
    },
  );
});

it.each<[what: string, status: number, code: string, body: object]>([
  ['an unknown event type', 204, 'event_unknown', eventBody({ event: 'session.paused' })],
  // A 4xx would pause the endpoint, and the event would be lost.
  ['an invalid event', 500, 'payload_invalid', eventBody({}, { verificationMode: 'L3' })],
  // Otherwise the endpoint could not be resumed.
  [
    'an invalid test event',
    204,
    'payload_invalid',
    { event: 'verification.completed', test: true, data: {} },
  ],
])('the handler reports %s, and responds with %i', async (_, status, code, body) => {
  const { send, events, codes } = setUp();
  expect((await send(signed(JSON.stringify(body)))).status).toBe(status);
  expect(codes()).toEqual([code]);
  expect(events).toEqual([]);
});

describe('createWebhookHandler() with test events of the dashboard', () => {
  it('passes each to onTest, and none to onEvent or the store', async () => {
    const tests: WebhookEvent[] = [];
    const { send, events } = setUp({ onTest: (event) => tests.push(event) });
    const text = oddText({ test: true });
    expect((await send(signed(text))).status).toBe(204);
    expect((await send(signed(text))).status).toBe(204);
    expect(tests).toHaveLength(2);
    expect(events).toEqual([]);
    expect((await send(signed(oddText()))).status).toBe(204);
    expect(events).toHaveLength(1);
  });

  it('returns 500 when onTest throws', async () => {
    const { send } = setUp({ onTest: () => Promise.reject(new Error('not ready')) });
    expect((await send(signed(oddText({ test: true })))).status).toBe(500);
  });
});

describe('the secret option', () => {
  it('may be a list; a signature made with any of its secrets is accepted', async () => {
    const { send } = setUp({ secret: ['next', SECRET] });
    expect((await send(signed(oddText()))).status).toBe(204);
    expect((await send(signed(oddText(), 'next'))).status).toBe(204);
    expect((await send(signed(oddText(), 'last'))).status).toBe(401);
  });

  it('may be a function, which is called for each request', async () => {
    let current = 'old';
    const { send } = setUp({ secret: async () => current });
    expect((await send(signed(oddText()))).status).toBe(401);
    current = SECRET;
    expect((await send(signed(oddText()))).status).toBe(204);
  });

  it.each([
    { why: 'returns an empty string', secret: () => '' },
    { why: 'returns an empty list', secret: () => [] },
    { why: 'throws', secret: () => Promise.reject(new Error('vault is sealed')) },
  ])(
    'leads to 500 when the function $why, because the sender is not at fault',
    async ({ secret }) => {
      const { send, problems } = setUp({ secret });
      expect((await send(signed(oddText(), 'x'))).status).toBe(500);
      expect(problems).toHaveLength(1);
    },
  );

  it('is copied, so that later changes of the list have no effect', async () => {
    const secrets = ['other'];
    const { send } = setUp({ secret: secrets });
    secrets[0] = SECRET;
    expect((await send(signed(oddText()))).status).toBe(401);
  });
});

describe('the log of createWebhookHandler()', () => {
  it('is console.error by default, without the secret', async () => {
    const print = vi.spyOn(console, 'error').mockImplementation(() => {});
    const webhooks = createWebhookHandler({ secret: SECRET, onEvent: () => {} });
    await webhooks(toRequest(signed(oddText(), 'other')));
    expect(print.mock.calls).toEqual([
      ['OfAge webhook responded with 401:', expect.stringMatching(/^OfAgeError: Cannot verify/)],
    ]);
    expect(JSON.stringify(print.mock.calls)).not.toContain(SECRET);
  });

  it.each([
    { why: 'throws', onProblem: () => { throw new Error('log is full'); } }, // prettier-ignore
    { why: 'rejects', onProblem: () => Promise.reject(new Error('log is full')) },
  ])('does not change the response when onProblem $why', async ({ onProblem }) => {
    const { send } = setUp({ onProblem });
    expect((await send(signed(oddText(), 'other'))).status).toBe(401);
  });
});

describe('createWebhookHandler() with two requests', () => {
  const noId = JSON.stringify(eventBody({ eventId: undefined }));
  it.each<[why: string, runs: number, a: string, b: string]>([
    ['different ids', 2, oddText({ eventId: 'e-1' }), oddText({ eventId: 'e-2' })],
    ['the same id', 1, oddText(), oddText()],
    [
      'the same id and another timestamp',
      1,
      oddText(),
      oddText({ timestamp: '2026-01-03T00:00:00Z' }),
    ],
    ['no id, but the same session and event type', 1, STARTED, `${STARTED} `],
    ['no id and different sessions', 2, STARTED, STARTED.replace(SESSION_ID, 'another-session')],
    ['no id, the same session and different event types', 2, STARTED, noId],
  ])('has this number of calls of onEvent for %s: %i', async (_, runs, a, b) => {
    const { send, keys } = setUp();
    expect((await send(signed(a))).status).toBe(204);
    expect((await send(signed(b))).status).toBe(204);
    expect(keys).toHaveLength(runs);
  });

  it('passes a copy to onDuplicate and acknowledges it even if onDuplicate throws', async () => {
    const onDuplicate = vi.fn(() => {
      throw new Error('counter is away');
    });
    const { send, problems } = setUp({ onDuplicate });
    await send(signed(oddText()));
    expect(onDuplicate).not.toHaveBeenCalled();
    expect((await send(signed(oddText()))).status).toBe(204);
    expect(onDuplicate).toHaveBeenCalledOnce();
    expect(problems).toMatchObject([{ status: 204, error: { message: 'counter is away' } }]);
  });
});

describe('createWebhookHandler() with a store that fails', () => {
  const away = (method: keyof WebhookStore): WebhookStore => ({
    ...createMemoryWebhookStore(),
    [method]: () => Promise.reject(new Error(`${method} is away`)),
  });
  const mine = (): Promise<never> => Promise.reject(new Error('mine'));

  it('returns 500 without calling onEvent when claim rejects', async () => {
    const { send, events, problems } = setUp({ store: away('claim') });
    expect((await send(signed(oddText()))).status).toBe(500);
    expect(events).toEqual([]);
    expect(problems).toMatchObject([{ error: { message: 'claim is away' } }]);
  });

  it('returns 204 when complete rejects, because a retry would be handled twice', async () => {
    const { send, events, problems } = setUp({ store: away('complete') });
    expect((await send(signed(oddText()))).status).toBe(204);
    expect(events).toHaveLength(1);
    expect(problems).toMatchObject([{ status: 204, error: { message: 'complete is away' } }]);
  });

  it('returns 500 and reports the error of onEvent when release rejects', async () => {
    const { send, problems } = setUp({ store: away('release'), onEvent: mine });
    expect((await send(signed(oddText()))).status).toBe(500);
    expect(problems).toMatchObject([{ error: { message: 'mine' } }]);
  });

  it('responds only after release has finished, so that the next copy finds no claim', async () => {
    const steps: string[] = [];
    const store: WebhookStore = {
      ...createMemoryWebhookStore(),
      async release() {
        await settle();
        steps.push('released');
      },
    };
    const { send } = setUp({ store, onEvent: mine });
    await send(signed(oddText())).then(() => steps.push('responded'));
    expect(steps).toEqual(['released', 'responded']);
  });

  it('returns 500 without calling onEvent when claim returns an unknown value', async () => {
    const store = { ...createMemoryWebhookStore(), claim: async () => true };
    const { send, events } = setUp({ store: store as unknown as WebhookStore });
    expect((await send(signed(oddText()))).status).toBe(500);
    expect(events).toEqual([]);
  });
});

describe('createWebhookHandler() with a store that is a class', () => {
  it('calls its methods with the store as this', async () => {
    class Store implements WebhookStore {
      readonly #inner = createMemoryWebhookStore();
      claim(...parameters: Parameters<WebhookStore['claim']>) {
        return this.#inner.claim(...parameters);
      }
      complete(key: string) {
        return this.#inner.complete(key);
      }
      release(key: string, token: string) {
        return this.#inner.release(key, token);
      }
    }
    const { send, events } = setUp({ store: new Store() });
    await send(signed(oddText()));
    await send(signed(oddText()));
    expect(events).toHaveLength(1);
  });
});

describe('createWebhookHandler() when onEvent never settles', () => {
  it('handles the next copy after the lease expires, and aborts the signal of the first run', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] });
    const signals: AbortSignal[] = [];
    let isRunning = (): void => {};
    const running = new Promise<void>((resolve) => (isRunning = resolve));
    const { send } = setUp({
      leaseMs: 1000,
      onEvent(_event, { signal }) {
        isRunning();
        return signals.push(signal) === 1 ? new Promise<void>(() => {}) : undefined;
      },
    });
    void send(signed(oddText()));
    await running;
    await vi.advanceTimersByTimeAsync(999);
    expect((await send(signed(oddText()))).status).toBe(503);
    expect(signals[0]?.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(signals[0]?.aborted).toBe(true);
    expect((await send(signed(oddText()))).status).toBe(204);
    expect(signals).toHaveLength(2);
    expect(signals[1]?.aborted).toBe(false);
    expect(vi.getTimerCount()).toBe(0);
  });
});
