import {
  OfAgeError,
  type WebhookEvent,
  type WebhookHandlerOptions,
  type WebhookProblem,
  type WebhookStore,
  createMemoryWebhookStore,
  createWebhookHandler,
} from 'ofage/server';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { SESSION_ID, eventBody } from './builders.ts';
import { SECRET, type Signed, oddText, sign, signed, toRequest } from './signed-request.ts';

/** A handler that keeps what it was told. */
function setUp(options: Partial<WebhookHandlerOptions> = {}) {
  const events: WebhookEvent[] = [];
  const keys: string[] = [];
  const problems: WebhookProblem[] = [];
  const webhooks = createWebhookHandler({
    secret: SECRET,
    onEvent(event, { key }) {
      events.push(event);
      keys.push(key);
    },
    onProblem: (problem) => problems.push(problem),
    ...options,
  });
  const send = (request: Signed) => webhooks(toRequest(request));
  const codes = () => problems.map(({ error }) => (error as OfAgeError).code);
  return { webhooks, events, keys, problems, codes, send };
}

const STARTED = JSON.stringify({
  ...eventBody({ event: 'session.started', eventId: undefined }, { verified: undefined }),
});

describe('createWebhookHandler() answers', () => {
  it('204 when the event is handled, and hands over the event', async () => {
    const { send, events, keys, problems } = setUp();
    const response = await send(signed(oddText()));
    expect(response.status).toBe(204);
    expect(await response.text()).toBe('');
    expect(events).toEqual([eventBody({ tenantId: 't\u00e9nant-1' })]);
    expect(keys).toEqual([eventBody()['eventId']]);
    expect(problems).toEqual([]);
  });

  const wrong = (text: string, header: string | undefined): Signed => ({
    body: new TextEncoder().encode(text),
    headers: header === undefined ? {} : { 'x-ofage-signature': header },
  });
  it.each([
    { why: 'no signature', request: wrong(STARTED, undefined), status: 401, code: 'missing' },
    { why: 'no signature', request: wrong('', undefined), status: 401, code: 'missing' },
    { why: 'another form', request: wrong(STARTED, 'sha1=00'), status: 401, code: 'malformed' },
    { why: 'not of this body', request: wrong(STARTED, sign('{}')), status: 401, code: 'mismatch' },
    { why: 'of another', request: signed(STARTED, 'other'), status: 401, code: 'mismatch' },
  ])('$status to a signature that is $why', async ({ request, status, code }) => {
    const { send, events, codes } = setUp();
    const response = await send(request);
    expect(response.status).toBe(status);
    expect(await response.text()).toBe('');
    expect(codes()).toEqual([`signature_${code}`]);
    expect(events).toEqual([]);
  });

  it.each(['', 'hello', '[]', 'null', '{"event":', '\u0000'])(
    '400 to what is signed and no JSON object: "%s"',
    async (text) => {
      const { send, codes } = setUp();
      expect((await send(signed(text))).status).toBe(400);
      expect(codes()).toEqual(['payload_invalid']);
    },
  );

  it.each(['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS'])('405 to %s', async (method) => {
    const { webhooks, codes } = setUp();
    const response = await webhooks(new Request('https://shop.example', { method }));
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe('POST');
    expect(codes()).toEqual(['method_not_allowed']);
  });

  it('413 to one byte more than maxBodyBytes, whatever its signature', async () => {
    const { send, codes } = setUp({ maxBodyBytes: 262_144 });
    const exact = oddText().padStart(262_144); // white space in front is still JSON
    expect((await send(signed(exact))).status).toBe(204);
    expect((await send(signed(` ${exact}`))).status).toBe(413);
    expect((await send(signed(` ${exact}`, 'other'))).status).toBe(413);
    expect(codes()).toEqual(['body_too_large', 'body_too_large']);
  });

  it('503 with retry-after while a copy is handled, then 204, then 204 to the next copy', async () => {
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
    // A second: the service holds back all events of the endpoint for that long.
    expect(second.headers.get('retry-after')).toBe('1');
    finish();
    expect((await first).status).toBe(204);
    expect((await send(signed(oddText()))).status).toBe(204);
    expect(onEvent).toHaveBeenCalledOnce();
    expect(codes()).toEqual(['event_in_progress']);
  });

  it('500 when onEvent throws, and runs it again for the next copy', async () => {
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
    '500 when onEvent throws an error of the kit: %s says nothing about the request then',
    async (code) => {
      const onEvent = () => Promise.reject(new OfAgeError(code, 'from a call of its own'));
      expect((await setUp({ onEvent }).send(signed(oddText()))).status).toBe(500);
    },
  );
});

describe('createWebhookHandler() and what the service may send in the future', () => {
  it('acknowledges a kind that it does not know, and reports it', async () => {
    const { send, events, codes } = setUp();
    const text = JSON.stringify(eventBody({ event: 'session.paused' }));
    expect((await send(signed(text))).status).toBe(204);
    expect(codes()).toEqual(['event_unknown']);
    expect(events).toEqual([]);
  });

  it('asks for an event again that it cannot read: a 4xx would pause the endpoint and lose it', async () => {
    const { send, codes } = setUp();
    const text = JSON.stringify(eventBody({}, { verificationMode: 'L3' }));
    expect((await send(signed(text))).status).toBe(500);
    expect(codes()).toEqual(['payload_invalid']);
  });

  it('acknowledges a test that it cannot read, or nobody could resume the endpoint', async () => {
    const { send, events, codes } = setUp();
    const text = JSON.stringify({ event: 'verification.completed', test: true, data: {} });
    expect((await send(signed(text))).status).toBe(204);
    expect(codes()).toEqual(['payload_invalid']);
    expect(events).toEqual([]);
  });
});

describe('createWebhookHandler() and tests from the dashboard', () => {
  it('hands every one to onTest, and none to onEvent or the store', async () => {
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

  it('fails the test when onTest throws', async () => {
    const { send } = setUp({ onTest: () => Promise.reject(new Error('not ready')) });
    expect((await send(signed(oddText({ test: true })))).status).toBe(500);
  });
});

describe('createWebhookHandler() tells events apart', () => {
  const two = async (first: string, second: string) => {
    const { send, keys } = setUp();
    expect((await send(signed(first))).status).toBe(204);
    expect((await send(signed(second))).status).toBe(204);
    return keys;
  };

  it.each([
    { why: 'another id', a: oddText({ eventId: 'e-1' }), b: oddText({ eventId: 'e-2' }), runs: 2 },
    { why: 'the same id', a: oddText({ eventId: 'e-1' }), b: oddText({ eventId: 'e-1' }), runs: 1 },
    {
      why: 'the same id, sent at another time',
      a: oddText(),
      b: oddText({ timestamp: '2026-01-03T00:00:00Z' }),
      runs: 1,
    },
    { why: 'no id, same session and kind', a: STARTED, b: `${STARTED} `, runs: 1 },
    {
      why: 'no id, another session',
      a: STARTED,
      b: STARTED.replace(SESSION_ID, 'another-session'),
      runs: 2,
    },
    {
      why: 'no id, same session, another kind',
      a: STARTED,
      b: JSON.stringify(eventBody({ eventId: undefined })),
      runs: 2,
    },
  ])('$why: $runs', async ({ a, b, runs }) => {
    expect(await two(a, b)).toHaveLength(runs);
  });

  it('shows copies to onDuplicate, and acknowledges them even if that throws', async () => {
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

describe('createWebhookHandler() and a store that fails', () => {
  const failing = (method: keyof WebhookStore): WebhookStore => ({
    ...createMemoryWebhookStore(),
    [method]: () => Promise.reject(new Error(`${method} is away`)),
  });

  it('claim: 500, and nothing was run', async () => {
    const { send, events, problems } = setUp({ store: failing('claim') });
    expect((await send(signed(oddText()))).status).toBe(500);
    expect(events).toEqual([]);
    expect(problems).toMatchObject([{ error: { message: 'claim is away' } }]);
  });

  it('complete: 204, since the event is handled and a copy would be handled twice', async () => {
    const { send, events, problems } = setUp({ store: failing('complete') });
    expect((await send(signed(oddText()))).status).toBe(204);
    expect(events).toHaveLength(1);
    expect(problems).toMatchObject([{ status: 204, error: { message: 'complete is away' } }]);
  });

  it('release: 500 with what onEvent threw', async () => {
    const onEvent = () => Promise.reject(new Error('mine'));
    const { send, problems } = setUp({ store: failing('release'), onEvent });
    expect((await send(signed(oddText()))).status).toBe(500);
    expect(problems).toMatchObject([{ error: { message: 'mine' } }]);
  });

  it('an answer that is none of the three: 500, and nothing was run', async () => {
    const store = { ...createMemoryWebhookStore(), claim: async () => true };
    const { send, events } = setUp({ store: store as unknown as WebhookStore });
    expect((await send(signed(oddText()))).status).toBe(500);
    expect(events).toEqual([]);
  });

  it('may be an object with private state and methods that need this', async () => {
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

describe('createWebhookHandler() after a crash', () => {
  afterEach(() => void vi.useRealTimers());

  it('handles the next copy when the lease is over, and tells the first run to stop', async () => {
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

describe('createWebhookHandler() and its secret', () => {
  it('takes each of several', async () => {
    const { send } = setUp({ secret: ['next', SECRET] });
    expect((await send(signed(oddText()))).status).toBe(204);
    expect((await send(signed(oddText(), 'next'))).status).toBe(204);
    expect((await send(signed(oddText(), 'last'))).status).toBe(401);
  });

  it('asks a function at each request', async () => {
    let current = 'old';
    const { send } = setUp({ secret: async () => current });
    expect((await send(signed(oddText()))).status).toBe(401);
    current = SECRET;
    expect((await send(signed(oddText()))).status).toBe(204);
  });

  it.each([
    { why: 'gives nothing', secret: () => '' },
    { why: 'gives an empty list', secret: () => [] },
    { why: 'throws', secret: () => Promise.reject(new Error('vault is sealed')) },
  ])('500 when the function $why: that is no fault of the sender', async ({ secret }) => {
    const { send, problems } = setUp({ secret });
    expect((await send(signed(oddText(), 'x'))).status).toBe(500);
    expect(problems).toHaveLength(1);
  });

  it('does not follow a list that is changed later', async () => {
    const secrets = ['other'];
    const { send } = setUp({ secret: secrets });
    secrets[0] = SECRET;
    expect((await send(signed(oddText()))).status).toBe(401);
  });
});

describe('createWebhookHandler() refuses at once', () => {
  const onEvent = () => {};
  it.each([
    { why: 'no options', options: undefined, code: 'invalid_option' },
    { why: 'no secret', options: { onEvent }, code: 'webhook_secret_required' },
    { why: 'empty', options: { onEvent, secret: '' }, code: 'webhook_secret_required' },
    { why: 'none', options: { onEvent, secret: [] }, code: 'webhook_secret_required' },
    { why: 'one empty', options: { onEvent, secret: ['a', ''] }, code: 'webhook_secret_required' },
    { why: 'no onEvent', options: { secret: SECRET }, code: 'invalid_option' },
    { why: 'a name misspelt', options: { secret: SECRET, onEvent, onevent: 1 } },
    { why: 'onTest', options: { secret: SECRET, onEvent, onTest: true } },
    { why: 'a Map for a store', options: { secret: SECRET, onEvent, store: new Map() } },
    { why: 'null for a store', options: { secret: SECRET, onEvent, store: null } },
    { why: 'a short lease', options: { secret: SECRET, onEvent, leaseMs: 999 } },
    { why: 'a lease that is text', options: { secret: SECRET, onEvent, leaseMs: '60000' } },
    { why: 'a small body', options: { secret: SECRET, onEvent, maxBodyBytes: 262_143 } },
    { why: 'any body', options: { secret: SECRET, onEvent, maxBodyBytes: Infinity } },
  ])('$why', ({ options, code = 'invalid_option' }) => {
    expect(() => createWebhookHandler(options as unknown as WebhookHandlerOptions)).toThrow(
      expect.objectContaining({ name: 'OfAgeError', code }),
    );
  });

  it('without showing the secret', () => {
    const options = { onEvent, secret: SECRET, [SECRET]: 1 } as WebhookHandlerOptions;
    expect(() => createWebhookHandler(options)).toThrow(
      expect.not.objectContaining({ message: expect.stringContaining(SECRET) }),
    );
  });
});

describe('createWebhookHandler() and its log', () => {
  afterEach(() => void vi.restoreAllMocks());

  it('prints a line when nobody listens, without the secret', async () => {
    const print = vi.spyOn(console, 'error').mockImplementation(() => {});
    const webhooks = createWebhookHandler({ secret: SECRET, onEvent: () => {} });
    await webhooks(toRequest(signed(oddText(), 'other')));
    expect(print.mock.calls).toEqual([
      ['OfAge webhook answered 401:', expect.stringMatching(/^OfAgeError: Cannot verify/)],
    ]);
    expect(JSON.stringify(print.mock.calls)).not.toContain(SECRET);
  });

  it.each([
    { why: 'throws', onProblem: () => { throw new Error('log is full'); } }, // prettier-ignore
    { why: 'rejects', onProblem: () => Promise.reject(new Error('log is full')) },
  ])('answers the same when the log $why', async ({ onProblem }) => {
    const { send } = setUp({ onProblem });
    expect((await send(signed(oddText(), 'other'))).status).toBe(401);
  });
});

describe('handle() for servers that are not Fetch-style', () => {
  const text = oddText();
  const { headers } = signed(text);
  const bytes = new TextEncoder().encode(text);
  async function* pieces(): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < bytes.length; at += 7) yield bytes.subarray(at, at + 7);
  }

  it.each([
    { why: 'bytes', body: bytes },
    { why: 'Buffer', body: Buffer.from(text) },
    { why: 'ArrayBuffer', body: bytes.slice().buffer },
    { why: 'text', body: text },
    { why: 'a stream of Node', body: pieces() },
    { why: 'a stream of the web', body: new Blob([text]).stream() },
  ])('takes $why', async ({ body }) => {
    const { webhooks, events } = setUp();
    expect(await webhooks.handle({ method: 'POST', headers, body })).toEqual({
      status: 204,
      headers: {},
    });
    expect(events).toHaveLength(1);
  });

  const value = sign(text);
  it.each([
    { why: 'Headers', headers: new Headers({ 'X-OfAge-Signature': value }), status: 204 },
    { why: 'lower case, as in Node', headers: { 'x-ofage-signature': value }, status: 204 },
    { why: 'as in API gateways', headers: { 'X-OfAge-Signature': value }, status: 204 },
    { why: 'a list of one', headers: { 'x-ofage-signature': [value] }, status: 204 },
    { why: 'a list of two', headers: { 'x-ofage-signature': [value, value] }, status: 401 },
    { why: 'none', headers: {}, status: 401 },
    { why: 'undefined', headers: { 'x-ofage-signature': undefined }, status: 401 },
  ])('finds the signature in headers: $why', async ({ headers, status }) => {
    const { webhooks } = setUp();
    expect((await webhooks.handle({ method: 'POST', headers, body: text })).status).toBe(status);
  });

  it.each([
    { why: 'nothing', body: undefined },
    { why: 'null', body: null },
    { why: 'a parsed body', body: JSON.parse(text) as Uint8Array },
    { why: 'a stream of objects', body: (async function* () { yield JSON.parse(text); })() }, // prettier-ignore
  ])('500 and body_not_raw: $why', async ({ body }) => {
    const { webhooks, codes } = setUp();
    expect((await webhooks.handle({ method: 'POST', headers, body })).status).toBe(500);
    expect(codes()).toEqual(['body_not_raw']);
  });

  it.each([undefined, null])(
    '401 to %s without a signature, as a parser leaves it',
    async (body) => {
      const { webhooks, codes } = setUp();
      expect((await webhooks.handle({ method: 'POST', headers: {}, body })).status).toBe(401);
      expect(codes()).toEqual(['signature_missing']);
    },
  );

  it.each([
    { why: 'read before', body: '', status: 500, code: 'body_not_raw' },
    {
      why: 'written again',
      body: JSON.stringify(JSON.parse(text)),
      status: 500,
      code: 'body_not_raw',
    },
    {
      why: 'changed by a stranger',
      body: text.replace('42', '43'),
      status: 401,
      code: 'signature_mismatch',
    },
  ])('tells a body that was $why by its length: $status', async ({ body, status, code }) => {
    const { webhooks, codes } = setUp();
    const announced = { ...headers, 'content-length': String(bytes.length) };
    expect((await webhooks.handle({ method: 'POST', headers: announced, body })).status).toBe(
      status,
    );
    expect(codes()).toEqual([code]);
  });

  it('accepts a good signature whatever content-length says', async () => {
    const { webhooks } = setUp();
    const announced = { ...headers, 'content-length': '1' };
    expect((await webhooks.handle({ method: 'POST', headers: announced, body: text })).status).toBe(
      204,
    );
  });

  it('takes a Request in a browser that has no streams in requests', async () => {
    const { webhooks, events } = setUp();
    const request = toRequest(signed(text));
    Object.defineProperty(request, 'body', { value: undefined });
    expect((await webhooks(request)).status).toBe(204);
    expect(events).toHaveLength(1);
  });

  it('500 when the stream breaks, and 500 for a Request that was read before', async () => {
    const { webhooks, codes, problems } = setUp();
    const broken = (async function* () {
      yield bytes.subarray(0, 9);
      throw new Error('socket hang up');
    })();
    expect((await webhooks.handle({ method: 'POST', headers, body: broken })).status).toBe(500);
    expect(problems[0]?.error).toMatchObject({ message: 'socket hang up' });
    const request = toRequest(signed(text));
    await request.text();
    expect((await webhooks(request)).status).toBe(500);
    expect(codes()[1]).toBe('body_not_raw');
  });

  it('413 to a body in memory that is too long', async () => {
    const { webhooks } = setUp({ maxBodyBytes: 262_144 });
    const body = text.padStart(262_145);
    expect((await webhooks.handle({ method: 'POST', ...signed(body) })).status).toBe(413);
  });

  it('leaves a stream that is too long alone, so that the socket can still be answered', async () => {
    let ended = false;
    async function* endless(): AsyncGenerator<Uint8Array> {
      try {
        for (;;) yield new Uint8Array(1000);
      } finally {
        ended = true;
      }
    }
    const { webhooks } = setUp({ maxBodyBytes: 262_144 });
    const { status } = await webhooks.handle({ method: 'POST', headers, body: endless() });
    expect({ status, ended }).toEqual({ status: 413, ended: false });
  });
});
