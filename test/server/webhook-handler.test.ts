import { OfAgeError, type WebhookEvent } from 'ofage/server';
import { describe, expect, it, vi } from 'vitest';
import { eventBody } from './builders.ts';
import { oddText, signed } from './signed-request.ts';
import { STARTED, setUp } from './a-webhook-handler.ts';

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
    const { webhooks, codes } = setUp();
    const response = await webhooks(new Request('https://shop.example', { method }));
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe('POST');
    expect(codes()).toEqual(['method_not_allowed']);
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

describe('createWebhookHandler() with unknown and invalid events', () => {
  it('acknowledges and reports an unknown event type', async () => {
    const { send, events, codes } = setUp();
    const text = JSON.stringify(eventBody({ event: 'session.paused' }));
    expect((await send(signed(text))).status).toBe(204);
    expect(codes()).toEqual(['event_unknown']);
    expect(events).toEqual([]);
  });

  it('returns 500 for an invalid event, because a 4xx would pause the endpoint and lose the event', async () => {
    const { send, codes } = setUp();
    const text = JSON.stringify(eventBody({}, { verificationMode: 'L3' }));
    expect((await send(signed(text))).status).toBe(500);
    expect(codes()).toEqual(['payload_invalid']);
  });

  it('acknowledges an invalid test event, because otherwise the endpoint could not be resumed', async () => {
    const { send, events, codes } = setUp();
    const text = JSON.stringify({ event: 'verification.completed', test: true, data: {} });
    expect((await send(signed(text))).status).toBe(204);
    expect(codes()).toEqual(['payload_invalid']);
    expect(events).toEqual([]);
  });
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
