import { type WebhookStore, createMemoryWebhookStore } from 'ofage/server';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { SESSION_ID, eventBody } from './builders.ts';
import { oddText, signed } from './signed-request.ts';
import { STARTED, setUp } from './a-webhook-handler.ts';

describe('createWebhookHandler() with two requests', () => {
  const two = async (first: string, second: string) => {
    const { send, keys } = setUp();
    expect((await send(signed(first))).status).toBe(204);
    expect((await send(signed(second))).status).toBe(204);
    return keys;
  };

  it.each([
    {
      why: 'different ids',
      a: oddText({ eventId: 'e-1' }),
      b: oddText({ eventId: 'e-2' }),
      runs: 2,
    },
    { why: 'the same id', a: oddText({ eventId: 'e-1' }), b: oddText({ eventId: 'e-1' }), runs: 1 },
    {
      why: 'the same id and different timestamps',
      a: oddText(),
      b: oddText({ timestamp: '2026-01-03T00:00:00Z' }),
      runs: 1,
    },
    { why: 'no id, but the same session and event type', a: STARTED, b: `${STARTED} `, runs: 1 },
    {
      why: 'no id and different sessions',
      a: STARTED,
      b: STARTED.replace(SESSION_ID, 'another-session'),
      runs: 2,
    },
    {
      why: 'no id, the same session and different event types',
      a: STARTED,
      b: JSON.stringify(eventBody({ eventId: undefined })),
      runs: 2,
    },
  ])('calls onEvent $runs× for $why', async ({ a, b, runs }) => {
    expect(await two(a, b)).toHaveLength(runs);
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
  const failing = (method: keyof WebhookStore): WebhookStore => ({
    ...createMemoryWebhookStore(),
    [method]: () => Promise.reject(new Error(`${method} is away`)),
  });

  it('returns 500 without calling onEvent when claim rejects', async () => {
    const { send, events, problems } = setUp({ store: failing('claim') });
    expect((await send(signed(oddText()))).status).toBe(500);
    expect(events).toEqual([]);
    expect(problems).toMatchObject([{ error: { message: 'claim is away' } }]);
  });

  it('returns 204 when complete rejects, because a retry would be handled twice', async () => {
    const { send, events, problems } = setUp({ store: failing('complete') });
    expect((await send(signed(oddText()))).status).toBe(204);
    expect(events).toHaveLength(1);
    expect(problems).toMatchObject([{ status: 204, error: { message: 'complete is away' } }]);
  });

  it('returns 500 and reports the error of onEvent when release rejects', async () => {
    const onEvent = () => Promise.reject(new Error('mine'));
    const { send, problems } = setUp({ store: failing('release'), onEvent });
    expect((await send(signed(oddText()))).status).toBe(500);
    expect(problems).toMatchObject([{ error: { message: 'mine' } }]);
  });

  it('responds only after release has finished, so that the next copy finds no claim', async () => {
    const steps: string[] = [];
    const store: WebhookStore = {
      ...createMemoryWebhookStore(),
      async release() {
        await new Promise((resolve) => setTimeout(resolve, 20));
        steps.push('released');
      },
    };
    const { send } = setUp({ store, onEvent: () => Promise.reject(new Error('mine')) });
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
  it('calls the methods of the store with the store as this', async () => {
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
  afterEach(() => void vi.useRealTimers());

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
