/** Windows that are closed or severed. See also the timelines in window-timelines.test.ts. */
import { describe, expect, it, vi } from 'vitest';
import { PRESENCE_TYPE } from '../../src/brand.ts';
import { newOfAge, SESSION_ID, watch, world } from './world.ts';
import { CANCEL_URL, start, useWindows } from './a-watched-window.ts';

useWindows();

describe('a window that the shopper closed', () => {
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
    const seen = watch(newOfAge({ cancelUrl: CANCEL_URL }).verify());
    world.popup().closed = true;
    await world.elapse(0);
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

describe('an attempt whose window COOP severs', () => {
  it('stays pending when the window is severed right after a second click brought it to the front', async () => {
    const onCancel = vi.fn();
    const ofAge = newOfAge({ onCancel, cancelUrl: CANCEL_URL });
    const seen = watch(ofAge.verify());
    await world.elapse(200);
    world.emit('focus'); // the shopper clicks the button again
    void ofAge.verify();
    world.emit('blur');
    await world.elapse(100);
    world.popup().cutOff();
    await world.elapse(60_000);
    expect(onCancel).not.toHaveBeenCalled();
    world.relay({ status: 'verified' });
    await world.elapse(0);
    expect(seen.value).toMatchObject({ status: 'verified' });
  });

  it('ends with session_expired if no result arrives', async () => {
    const { seen } = await start();
    world.popup().cutOff();
    await world.elapse(590_000);
    expect(seen.state).toBe('pending');
    await world.elapse(30_000);
    expect(seen.error.code).toBe('session_expired');
  });

  it('accepts the relayed result 2.6 s after a return page with COOP severed the window, even if this page gets focus meanwhile', async () => {
    const { seen } = await start();
    world.popup().commit();
    await world.elapse(30_000);
    world.popup().cutOff(); // the return page has COOP
    await world.elapse(2300);
    world.emit('focus');
    await world.elapse(300);
    expect(seen.state).toBe('pending');
    world.relay({ status: 'verified' });
    await world.elapse(0);
    expect(seen.value).toMatchObject({ status: 'verified' });
  });

  it.each(['verified', 'failed', 'cancelled'] as const)(
    'accepts %s from the return page',
    async (status) => {
      const { seen } = await start();
      world.popup().cutOff();
      await world.elapse(60_000);
      world.relay({ status, timestamp: 1760000000000 });
      await world.elapse(0);
      expect(seen.value).toMatchObject({ status, sessionId: SESSION_ID, timestamp: 1760000000000 });
    },
  );

  it('accepts a message without source, because window.closed is true', async () => {
    const { seen } = await start();
    world.popup().cutOff();
    await world.elapse(60_000);
    world.message({ status: 'verified' }, { source: null });
    await world.elapse(0);
    expect(seen.value).toMatchObject({ status: 'verified' });
  });

  it.each([
    ['another window', { present: true }, { source: {} }],
    ['another origin', { present: true }, { origin: 'https://evil.example' }],
    ['the return page’s origin', { present: true }, { origin: 'https://merchant.example' }],
    ['another session', { present: true, sessionId: 'another' }, {}],
    ['a script of this page', { present: true }, { isTrusted: false }],
    ['the page, with a value other than true', { present: 'yes' }, {}],
  ])(
    'stays pending after the window closes if the announcement comes from %s',
    async (_, fields, event) => {
      const { seen } = await start();
      world.emit('blur');
      world.message({ type: PRESENCE_TYPE, ...fields }, event);
      world.popup().cutOff();
      await world.elapse(60_000);
      expect(seen.state).toBe('pending');
    },
  );
});
