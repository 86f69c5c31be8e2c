import { describe, expect, it, vi } from 'vitest';
import { begin, newOfAge, SESSION_ID, START_MS, useWorld, watch, world } from './world.ts';

useWorld();

describe('verify() in new-tab mode', () => {
  it.each(['verified', 'failed'] as const)(
    'calls onComplete once with "%s", then resolves the promise, and closes the window',
    async (status) => {
      const order: string[] = [];
      const onComplete = vi.fn(() => void order.push('callback'));
      const onCancel = vi.fn();
      const ofAge = newOfAge({
        onComplete,
        onCancel,
        cancelUrl: 'https://merchant.example/cancel',
      });
      const promise = ofAge.verify({ externalUserId: 'user-42' });
      void promise.then(() => order.push('promise'));
      await world.elapse(0);
      world.message({ status, timestamp: 1760000000000 });
      world.message({ status });
      await world.elapse(20_000);
      const result = {
        status,
        sessionId: SESSION_ID,
        timestamp: 1760000000000,
        externalUserId: 'user-42',
      };
      expect(await promise).toEqual(result);
      expect(onComplete).toHaveBeenCalledExactlyOnceWith(result);
      expect(order).toEqual(['callback', 'promise']);
      expect(onCancel).not.toHaveBeenCalled();
      expect(world.assign).not.toHaveBeenCalled();
      expect(world.popup().closed).toBe(true);
    },
  );

  it('removes its listeners and closes the window before the callback runs', async () => {
    let atCallback: unknown;
    void newOfAge({
      onComplete: () => (atCallback = [world.listeners.length, world.popup().closed]) as never,
    }).verify();
    await world.elapse(0);
    world.message({ status: 'verified' });
    expect(atCallback).toEqual([0, true]);
  });

  it('resolves without a timestamp when the message has none', async () => {
    const promise = newOfAge().verify();
    await world.elapse(0);
    world.message({ status: 'failed' });
    expect(await promise).toEqual({ status: 'failed', sessionId: SESSION_ID });
  });

  it('reports reason user after the cancel button, calls onCancel and then navigates to cancelUrl', async () => {
    const order: string[] = [];
    const onCancel = vi.fn(() => void order.push('callback'));
    world.assign.mockImplementation(() => order.push('navigation'));
    const promise = newOfAge({
      onCancel,
      cancelUrl: 'https://merchant.example/cancel?o=1#f',
    }).verify();
    void promise.then(() => order.push('promise'));
    await world.elapse(0);
    world.message({ status: 'cancelled', timestamp: 1760000000000 });
    await world.elapse(0);
    expect(await promise).toEqual({
      status: 'cancelled',
      reason: 'user',
      sessionId: SESSION_ID,
      timestamp: 1760000000000,
    });
    expect(onCancel).toHaveBeenCalledExactlyOnceWith();
    expect(world.assign.mock.calls).toEqual([
      [
        `https://merchant.example/cancel?o=1&status=cancelled&sessionId=${SESSION_ID}&timestamp=1760000000000#f`,
      ],
    ]);
    expect(order).toEqual(['callback', 'promise', 'navigation']);
  });

  it('adds this computer’s time to cancelUrl when the message has no timestamp', async () => {
    void newOfAge({ cancelUrl: 'https://merchant.example/cancel' }).verify();
    await world.elapse(0);
    world.message({ status: 'cancelled' });
    await world.elapse(0);
    expect(world.assign.mock.calls[0]![0]).toContain(`&timestamp=${START_MS}`);
  });

  it.each([
    ['false', () => false, 0],
    ['undefined', () => undefined, 1],
    ['true', () => true, 1],
    ['a promise of false', async () => false, 1],
    [
      'an exception',
      () => {
        throw new Error('merchant bug');
      },
      1,
    ],
  ] as Array<[string, () => any, number]>)(
    'navigates to cancelUrl unless onCancel returns false: %s',
    async (_, onCancel, navigations) => {
      const promise = newOfAge({ onCancel, cancelUrl: 'https://merchant.example/cancel' }).verify();
      await world.elapse(0);
      world.message({ status: 'cancelled' });
      await Promise.resolve();
      if (_ === 'an exception') expect(() => vi.runAllTimers()).toThrow('merchant bug');
      await world.elapse(0);
      expect((await promise).status).toBe('cancelled');
      expect(world.assign).toHaveBeenCalledTimes(navigations);
    },
  );

  it('reports an exception of onComplete asynchronously and still resolves', async () => {
    const promise = newOfAge({
      onComplete() {
        throw new Error('merchant bug');
      },
    }).verify();
    await world.elapse(0);
    world.message({ status: 'verified' });
    expect((await promise).status).toBe('verified');
    expect(() => vi.runAllTimers()).toThrow('merchant bug');
  });

  it('rejects with session_expired after ten minutes and five seconds, and closes the window', async () => {
    const onCancel = vi.fn();
    const seen = await begin({ onCancel });
    world.popup().commit();
    await world.elapse(604_500);
    expect(seen.state).toBe('pending');
    await world.elapse(1000);
    expect(seen.error).toMatchObject({
      code: 'session_expired',
      sessionId: SESSION_ID,
      retryable: true,
    });
    expect(world.popup().closed).toBe(true);
    expect(onCancel).not.toHaveBeenCalled();
  });

  it('keeps the window open when the clock is set forward past the deadline', async () => {
    const seen = await begin();
    vi.setSystemTime(START_MS + 700_000);
    world.emit('focus');
    await world.elapse(1000);
    expect(seen.state).toBe('pending');
    expect(world.popup().closed).toBe(false);
  });

  it('ignores expiresAt, which comes from another computer’s clock', async () => {
    world.answer({
      body: { ...(await import('./world.ts')).CREATED, expiresAt: '2020-01-01T00:00:00Z' },
    });
    const seen = watch(newOfAge().verify());
    await world.elapse(60_000);
    expect(seen.state).toBe('pending');
  });
});

describe('verify(), when the page unloads,', () => {
  it('closes a window that is still blank', () => {
    world.hang();
    void newOfAge().verify();
    world.emit('pagehide', { persisted: false });
    expect(world.popup().closed).toBe(true);
  });

  it('keeps the window of a running verification open', async () => {
    void newOfAge().verify();
    await world.elapse(0);
    world.emit('pagehide', { persisted: false });
    expect(world.popup().closed).toBe(false);
  });
});
