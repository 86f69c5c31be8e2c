import type { OfAge } from 'ofage';
import { describe, expect, it, vi } from 'vitest';
import { createAttempt } from '../../src/attempt.ts';
import {
  begin,
  CREATED,
  FakeChannel,
  newOfAge,
  SESSION_ID,
  useWorld,
  watch,
  withPropertyOnAllObjects,
  world,
} from './world.ts';

useWorld();

const SETTINGS = { apiKey: 'pk_1', returnUrl: 'https://m.example/', mode: 'new-tab' } as const;

it('an attempt settles once: only the first outcome reaches the promise, the callbacks and the cleanup', async () => {
  const onComplete = vi.fn();
  const onCancel = vi.fn();
  const undo = vi.fn();
  const attempt = createAttempt({ ...SETTINGS, onComplete, onCancel });
  attempt._defer(undo);
  attempt._finish({ status: 'verified', sessionId: SESSION_ID });
  attempt._finish({ status: 'failed', sessionId: SESSION_ID });
  attempt._cancel('closed');
  attempt._fail('session_expired');
  expect(await attempt._promise).toMatchObject({ status: 'verified' });
  expect(onComplete).toHaveBeenCalledOnce();
  expect(onCancel).not.toHaveBeenCalled();
  expect(undo).toHaveBeenCalledOnce();
});

it('an attempt resolves its result although a script added a code to every object', () =>
  withPropertyOnAllObjects('code', async () => {
    const attempt = createAttempt(SETTINGS);
    attempt._finish({ status: 'verified', sessionId: SESSION_ID });
    expect(await attempt._promise).toMatchObject({ status: 'verified' });
  }));

it('an attempt works with a Promise without catch(), as an old polyfill defines it', async () => {
  const name = 'catch';
  const original = Object.getOwnPropertyDescriptor(Promise.prototype, name)!;
  Reflect.deleteProperty(Promise.prototype, name);
  try {
    const onError = vi.fn();
    world.answer(new TypeError('Failed to fetch'));
    const seen = await begin({ onError });
    expect(seen.error).toMatchObject({ code: 'network_error' });
    expect(onError).toHaveBeenCalledOnce();
  } finally {
    Reflect.defineProperty(Promise.prototype, name, original);
  }
});

it('an attempt runs cleanups in reverse order, so that the watch ends before the window closes', () => {
  const order: string[] = [];
  const attempt = createAttempt(SETTINGS);
  attempt._defer(() => order.push('close'));
  attempt._defer(() => order.push('watch'));
  attempt._cancel('closed');
  expect(order).toEqual(['watch', 'close']);
});

it('an attempt replaces the current deadline when a later one is set', async () => {
  const attempt = createAttempt(SETTINGS);
  attempt._expect(1000, 'request_timeout');
  attempt._expect(5000, 'session_expired');
  const seen = watch(attempt._promise);
  await world.elapse(1000);
  expect(seen.state).toBe('pending');
  await world.elapse(4000);
  expect(seen.error).toMatchObject({ code: 'session_expired' });
});

it.each([
  ['forward by an hour', 3_600_000],
  ['back by a day', -86_400_000],
])('an attempt keeps its deadline when the computer’s clock is set %s', async (_, stepMs) => {
  const attempt = createAttempt(SETTINGS);
  attempt._expect(5000, 'session_expired');
  const seen = watch(attempt._promise);
  await world.elapse(1000);
  vi.setSystemTime(Date.now() + stepMs);
  await world.elapse(3900);
  expect(seen.state).toBe('pending');
  await world.elapse(100);
  expect(seen.error).toMatchObject({ code: 'session_expired' });
});

it('an attempt treats an empty externalUserId as absent', async () => {
  const promise = newOfAge().verify({ externalUserId: '' });
  await world.elapse(0);
  const [, init] = world.fetch.mock.calls[0] as [string, RequestInit];
  expect(JSON.parse(String(init.body))).toEqual({ returnUrl: 'https://merchant.example/return' });
  world.message({ status: 'verified' });
  expect((await promise).externalUserId).toBeUndefined();
});

describe('the rejection of an attempt', () => {
  /** Returns the errors for which the browser reports an unhandled rejection while `run` runs. */
  async function unhandledDuring(run: () => Promise<unknown>): Promise<unknown[]> {
    const unhandled: unknown[] = [];
    const note = (error: unknown): void => void unhandled.push(error);
    process.on('unhandledRejection', note);
    await run();
    vi.useRealTimers();
    // Node reports a rejection before it runs the next task.
    await new Promise((resolve) => setImmediate(resolve));
    process.off('unhandledRejection', note);
    return unhandled;
  }

  it('is not reported as unhandled if onError is set, and awaiting still rejects', async () => {
    world.openWith(() => null);
    const onError = vi.fn();
    const unhandled = await unhandledDuring(async () => {
      void newOfAge({ onError }).verify();
      const awaited = newOfAge({ onError }).verify();
      await expect(awaited).rejects.toMatchObject({ code: 'popup_blocked' });
    });
    expect(onError).toHaveBeenCalledTimes(2);
    expect(unhandled).toEqual([]);
  });

  it('stays the same if onError throws, whose exception is reported as unhandled', async () => {
    world.openWith(() => null);
    const mistake = new Error('merchant bug');
    const unhandled = await unhandledDuring(async () => {
      const promise = newOfAge({
        onError() {
          throw mistake;
        },
      }).verify();
      await expect(promise).rejects.toMatchObject({ code: 'popup_blocked' });
    });
    expect(unhandled).toEqual([mistake]);
  });
});

/** Every way in which an attempt can end. None may leave a listener, timer, channel or window. */
const ENDINGS: [ending: string, options: object, end: (ofAge: OfAge) => unknown][] = [
  ['a result', {}, () => world.message({ status: 'verified' })],
  ['the cancel button', {}, () => world.message({ status: 'cancelled' })],
  [
    'a close',
    {},
    () => {
      world.popup().closeByHand();
      world.emit('focus');
      return world.elapse(2000);
    },
  ],
  [
    'a severed window with a relayed result',
    {},
    async () => {
      world.popup().closed = true;
      await world.elapse(20_000);
      world.relay({ status: 'verified' });
    },
  ],
  ['its expiry', {}, () => world.elapse(606_000)],
  ['destroy()', {}, (ofAge) => ofAge.destroy()],
  ['redirect and Back', { mode: 'redirect' }, () => world.emit('pageshow', { persisted: true })],
  ['a redirect that failed', { mode: 'redirect' }, () => world.elapse(61_000)],
];

function expectNothingLeft(): void {
  expect(world.listeners).toEqual([]);
  expect(vi.getTimerCount()).toBe(0);
  expect(FakeChannel.open.size).toBe(0);
  for (const popup of world.popups) expect(popup.closed).toBe(true);
}

describe('an attempt leaves no listener, timer, channel or window after', () => {
  it.each(ENDINGS)('%s', async (_, options, end) => {
    const ofAge = newOfAge(options);
    const seen = watch(ofAge.verify());
    await world.elapse(0);
    expect(world.listeners.length).toBeGreaterThan(0);
    await end(ofAge);
    await world.elapse(0);
    expect(seen.state).not.toBe('pending');
    expectNothingLeft();
  });

  it.each([
    ['HTTP 500', { status: 500, body: {} }],
    ['no network', new TypeError('Failed to fetch')],
    ['a billing block', { body: { ...CREATED, billingBlock: { code: 'PLAN_LIMIT_REACHED' } } }],
    ['an invalid response', { body: 'hello' }],
  ])('%s', async (_, answer) => {
    world.answer(answer);
    const seen = await begin();
    expect(seen.state).toBe('rejected');
    expectNothingLeft();
  });
});

it('an attempt runs the other cleanups when closing the window throws', async () => {
  const seen = await begin();
  world.popup().close = () => {
    throw new DOMException('no', 'SecurityError');
  };
  world.message({ status: 'verified' });
  await world.elapse(20_000);
  expect(seen.state).toBe('resolved');
  expect(world.listeners).toEqual([]);
  expect(vi.getTimerCount()).toBe(0);
});
