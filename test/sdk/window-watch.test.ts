import { describe, expect, it, vi } from 'vitest';
import { newOfAge, SESSION_ID, watch, world } from './world.ts';
import { CANCEL_URL, start, useWindows } from './a-watched-window.ts';

useWindows();

describe('a window that the shopper closed', () => {
  it('cancels the attempt after one second when this page gets focus', async () => {
    const { seen, onCancel } = await start();
    world.popup().commit();
    await world.elapse(5000);
    world.emit('focus');
    world.popup().close();
    await world.elapse(750);
    expect(seen.state).toBe('pending');
    await world.elapse(750);
    expect(seen.value).toEqual({ status: 'cancelled', reason: 'closed', sessionId: SESSION_ID });
    expect(onCancel).toHaveBeenCalledOnce();
    expect(world.assign).toHaveBeenCalledOnce();
  });

  it('cancels the attempt when this tab becomes visible, as with focus', async () => {
    const { seen } = await start({ newTabTarget: 'tab' });
    world.popup().commit();
    world.hide(true);
    world.emit('visibilitychange');
    await world.elapse(5000);
    world.popup().close();
    world.hide(false);
    world.emit('visibilitychange');
    await world.elapse(1500);
    expect(seen.state).toBe('resolved');
  });

  it('cancels the attempt after five seconds if this page gets no focus', async () => {
    const { seen } = await start();
    world.popup().commit();
    await world.elapse(5000);
    world.popup().close();
    await world.elapse(4750);
    expect(seen.state).toBe('pending');
    await world.elapse(750);
    expect(seen.value).toMatchObject({ status: 'cancelled', reason: 'closed' });
  });

  it('cancels the attempt if the hosted page was still loading and this page gets focus', async () => {
    const { seen } = await start();
    await world.elapse(1000);
    world.popup().closeByHand();
    world.emit('focus');
    await world.elapse(1500);
    expect(seen.value).toMatchObject({ status: 'cancelled', reason: 'closed' });
  });

  it.each([
    ['before the close is detectable', -200],
    ['at the same time', 0],
    ['after the close', 300],
  ])('is detected within 1.5 s when this page gets focus %s', async (_, focusMs) => {
    const { seen } = await start();
    world.emit('blur'); // the window opened in the foreground
    world.popup().commit();
    await world.elapse(5000);
    if (focusMs < 0) world.emit('focus');
    await world.elapse(Math.max(0, -focusMs));
    world.popup().closeByHand();
    await world.elapse(Math.max(0, focusMs));
    if (focusMs >= 0) world.emit('focus');
    await world.elapse(1500 - Math.max(0, focusMs));
    expect(seen.value).toMatchObject({ status: 'cancelled', reason: 'closed' });
  });

  it('cancels the attempt even if the computer’s clock is set back by a day meanwhile', async () => {
    const { seen } = await start();
    world.popup().commit();
    await world.elapse(3000);
    vi.setSystemTime(Date.now() - 86_400_000);
    world.popup().closeByHand();
    world.emit('focus');
    await world.elapse(1500);
    expect(seen.value).toMatchObject({ status: 'cancelled', reason: 'closed' });
  });

  it('cancels the attempt for a hosted page on the same origin, which is readable', async () => {
    const { seen } = await start();
    world.popup().commit('https://merchant.example/verify/');
    await world.elapse(2000);
    world.popup().close();
    await world.elapse(6000);
    expect(seen.state).toBe('resolved');
  });

  it('cancels the attempt within half a second during session creation, aborts the request and skips cancelUrl', async () => {
    world.hang();
    const onCancel = vi.fn();
    const onError = vi.fn();
    const seen = watch(newOfAge({ onCancel, onError, cancelUrl: CANCEL_URL }).verify());
    world.popup().close();
    await world.elapse(500);
    expect(seen.value).toEqual({ status: 'cancelled', reason: 'closed_before_start' });
    expect(onCancel).toHaveBeenCalledOnce();
    expect(onError).not.toHaveBeenCalled(); // the aborted request is not reported
    expect(world.assign).not.toHaveBeenCalled(); // cancelUrl would need a sessionId
    expect((world.fetch.mock.calls[0]![1] as RequestInit).signal!.aborted).toBe(true);
  });

  it('cancels the attempt with the sessionId when it is closed just before the session arrives', async () => {
    const { seen } = await (async () => {
      const seen = watch(newOfAge({ cancelUrl: CANCEL_URL }).verify());
      world.popup().closed = true;
      await world.elapse(0);
      return { seen };
    })();
    expect(seen.value).toEqual({
      status: 'cancelled',
      reason: 'closed_before_start',
      sessionId: SESSION_ID,
    });
    expect(world.popup().replaced).toEqual([]);
    expect(world.assign).toHaveBeenCalledOnce();
  });
});

describe('a message from a closing window', () => {
  it.each([
    ['verified', 'resolves the attempt as verified'],
    ['cancelled', 'cancels the attempt once'],
  ])('with the status "%s" within the grace period %s', async (status) => {
    const { seen, onCancel } = await start();
    world.popup().commit();
    await world.elapse(3000);
    world.emit('focus');
    world.popup().close();
    await world.elapse(500);
    world.message({ status }, { source: null });
    await world.elapse(10_000);
    expect(seen.value).toMatchObject({ status });
    expect(onCancel).toHaveBeenCalledTimes(status === 'cancelled' ? 1 : 0);
  });

  it('is ignored after the grace period', async () => {
    const { seen } = await start();
    world.popup().commit();
    await world.elapse(3000);
    world.emit('focus');
    world.popup().close();
    await world.elapse(2000);
    world.message({ status: 'verified' }, { source: null });
    expect(seen.value).toMatchObject({ status: 'cancelled', reason: 'closed' });
  });
});
