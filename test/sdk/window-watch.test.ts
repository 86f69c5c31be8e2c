import { describe, expect, it, vi } from 'vitest';
import { newOfAge, SESSION_ID, watch, world } from './world.ts';
import { CANCEL_URL, start, useWindows } from './a-watched-window.ts';

useWindows();

describe('a window that was really closed', () => {
  it('after a session, with the shopper back on this page: cancelled after one second', async () => {
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

  it('counts the tab becoming visible like a focus', async () => {
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

  it('without any sign of the shopper here: cancelled after five seconds', async () => {
    const { seen } = await start();
    world.popup().commit();
    await world.elapse(5000);
    world.popup().close();
    await world.elapse(4750);
    expect(seen.state).toBe('pending');
    await world.elapse(750);
    expect(seen.value).toMatchObject({ status: 'cancelled', reason: 'closed' });
  });

  it('while the verification page loads, with the shopper back on this page', async () => {
    const { seen } = await start();
    await world.elapse(1000);
    world.popup().closeByHand();
    world.emit('focus');
    await world.elapse(1500);
    expect(seen.value).toMatchObject({ status: 'cancelled', reason: 'closed' });
  });

  it.each([
    ['before the close can be seen', -200],
    ['in the same moment', 0],
    ['after it', 300],
  ])('the focus comes %s: noticed within 1.5 s', async (_, focusMs) => {
    const { seen } = await start();
    world.emit('blur'); // the window opened in front
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

  it('with the computer’s clock set back by a day meanwhile', async () => {
    const { seen } = await start();
    world.popup().commit();
    await world.elapse(3000);
    vi.setSystemTime(Date.now() - 86_400_000);
    world.popup().closeByHand();
    world.emit('focus');
    await world.elapse(1500);
    expect(seen.value).toMatchObject({ status: 'cancelled', reason: 'closed' });
  });

  it('a hosted page of our own origin can be read, and counts as shown too', async () => {
    const { seen } = await start();
    world.popup().href = 'https://merchant.example/verify/';
    await world.elapse(2000);
    world.popup().close();
    await world.elapse(6000);
    expect(seen.state).toBe('resolved');
  });

  it('while the session is created: cancelled at once, request aborted, no cancelUrl', async () => {
    world.hang();
    const onCancel = vi.fn();
    const onError = vi.fn();
    const seen = watch(newOfAge({ onCancel, onError, cancelUrl: CANCEL_URL }).verify());
    world.popup().close();
    await world.elapse(500);
    expect(seen.value).toEqual({ status: 'cancelled', reason: 'closed_before_start' });
    expect(onCancel).toHaveBeenCalledOnce();
    expect(onError).not.toHaveBeenCalled(); // of the aborted request
    expect(world.assign).not.toHaveBeenCalled(); // there is no sessionId to put into it
    expect((world.fetch.mock.calls[0]![1] as RequestInit).signal!.aborted).toBe(true);
  });

  it('in the moment the session arrives: cancelled with its id, nothing is shown', async () => {
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

describe('the last message of a closing window', () => {
  it.each([
    ['verified', 'resolved as verified'],
    ['cancelled', 'cancelled by the shopper, once'],
  ])('%s inside the grace: %s', async (status) => {
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

  it('after the grace it is too late', async () => {
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
