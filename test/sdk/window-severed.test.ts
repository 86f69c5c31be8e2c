import { describe, expect, it, vi } from 'vitest';
import { PRESENCE_TYPE } from '../../src/brand.ts';
import { newOfAge, SESSION_ID, watch, world } from './world.ts';
import { CANCEL_URL, start, useWindows, warned } from './a-watched-window.ts';

useWindows();

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

  it.each([-1000, -500, -300, -100, -10, 0, 10, 100, 300, 500, 1000])(
    'is not cancelled if this page gets focus at %i ms, counted from when the window is severed during loading',
    async (focusMs) => {
      const { seen, onCancel } = await start();
      world.emit('blur'); // the window opened in the foreground
      await world.elapse(1000 + Math.min(0, focusMs));
      if (focusMs < 0) world.emit('focus');
      await world.elapse(Math.max(0, -focusMs));
      world.popup().cutOff();
      await world.elapse(Math.max(0, focusMs));
      if (focusMs >= 0) world.emit('focus');
      await world.elapse(60_000);
      expect(seen.state).toBe('pending');
      expect(onCancel).not.toHaveBeenCalled();
      expect(warned).toHaveBeenCalledOnce();
      world.relay({ status: 'verified' });
      await world.elapse(0);
      expect(seen.value).toMatchObject({ status: 'verified' });
    },
  );

  it.each([
    ['gets focus half a second before', -500],
    ['gets focus half a second after', 500],
    ['gets no focus', undefined],
  ])(
    'is not cancelled when a working page navigates to a bank with COOP and this page %s',
    async (_, focusMs) => {
      const { seen, onCancel } = await start();
      world.emit('blur'); // the window opened in the foreground, so this browser reports focus
      world.popup().commit();
      await world.elapse(5000);
      if (focusMs === -500) world.emit('focus');
      await world.elapse(500);
      world.popup().cutOff();
      await world.elapse(500);
      if (focusMs === 500) world.emit('focus');
      await world.elapse(60_000);
      expect(seen.state).toBe('pending');
      expect(onCancel).not.toHaveBeenCalled();
      expect(warned).toHaveBeenCalledOnce();
    },
  );

  it('is not cancelled if this page gets focus for only 100 ms just before the window is severed', async () => {
    const { seen } = await start();
    world.emit('blur'); // the window opened in the foreground
    world.popup().commit();
    await world.elapse(5000);
    world.emit('focus');
    await world.elapse(100);
    world.emit('blur'); // the shopper returns to the window, which navigates to a bank
    await world.elapse(100);
    world.popup().cutOff();
    await world.elapse(60_000);
    expect(seen.state).toBe('pending');
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

  it.each([
    ['never showed another origin (Firefox, WebKit)', 0],
    ['showed another origin for 28 ms (Chromium, the longest of 60 runs)', 28],
  ])('stays pending until the session expires if the window %s', async (_, shownMs) => {
    const { seen, onCancel } = await start();
    await world.elapse(240 - shownMs);
    if (shownMs) {
      world.popup().commit();
      await world.elapse(shownMs);
    }
    world.popup().cutOff();
    await world.elapse(590_000);
    expect(seen.state).toBe('pending');
    expect(onCancel).not.toHaveBeenCalled();
    expect(world.assign).not.toHaveBeenCalled();
    expect(warned).toHaveBeenCalledOnce();
    await world.elapse(30_000);
    expect(seen.error.code).toBe('session_expired');
  });

  it('does not mistake the hiding of this page for a return of the shopper', async () => {
    const { seen } = await start({ newTabTarget: 'tab' });
    world.hide(true);
    world.emit('visibilitychange');
    await world.elapse(100);
    world.popup().cutOff();
    await world.elapse(60_000);
    expect(seen.state).toBe('pending');
  });

  it('stays pending when a poll falls within the 28 ms before COOP severs the window', async () => {
    const { seen } = await start();
    await world.elapse(290);
    world.popup().commit();
    await world.elapse(20); // the poll at 300 ms finds another origin
    world.popup().cutOff();
    await world.elapse(60_000);
    expect(seen.state).toBe('pending');
  });

  it('is not cancelled while the tab hides this page, although the page in the tab worked', async () => {
    const { seen } = await start({ newTabTarget: 'tab' });
    world.hide(true);
    world.emit('visibilitychange');
    world.popup().commit();
    await world.elapse(5000);
    world.popup().cutOff();
    await world.elapse(60_000);
    expect(seen.state).toBe('pending');
  });

  it('stays pending when this page gets focus three seconds after the window is severed during loading', async () => {
    const { seen } = await start();
    world.popup().cutOff();
    await world.elapse(3000);
    world.emit('focus');
    await world.elapse(60_000);
    expect(seen.state).toBe('pending');
  });

  it('stays pending when this page gets focus 1.1 s before the window is severed during loading', async () => {
    const { seen } = await start();
    world.emit('focus');
    await world.elapse(1100);
    world.popup().cutOff();
    await world.elapse(60_000);
    expect(seen.state).toBe('pending');
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

  it('accepts the relayed result three seconds after a return page with COOP severed the window', async () => {
    const { seen, onCancel } = await start();
    world.popup().commit();
    await world.elapse(30_000);
    world.popup().cutOff();
    await world.elapse(3000);
    world.relay({ status: 'verified' });
    await world.elapse(10_000);
    expect(seen.value).toMatchObject({ status: 'verified' });
    expect(onCancel).not.toHaveBeenCalled();
  });
});

describe('an attempt whose hosted page announces its presence', () => {
  const presence = (fields: object, event = {}): void =>
    world.message({ type: PRESENCE_TYPE, ...fields }, event);

  it('is cancelled one second after the window closes, even if this page gets no focus', async () => {
    const { seen } = await start();
    world.emit('blur');
    presence({ present: true });
    await world.elapse(200);
    world.popup().cutOff();
    await world.elapse(900);
    expect(seen.state).toBe('pending');
    await world.elapse(300);
    expect(seen.value).toMatchObject({ status: 'cancelled', reason: 'closed' });
  });

  it("stays pending when the page navigates to a bank with COOP, even if the shop's page gets the focus", async () => {
    const { seen, onCancel } = await start();
    world.popup().commit();
    presence({ present: true });
    await world.elapse(5000);
    presence({ present: false });
    world.emit('focus');
    world.popup().cutOff();
    await world.elapse(60_000);
    expect(seen.state).toBe('pending');
    expect(onCancel).not.toHaveBeenCalled();
    expect(warned).toHaveBeenCalledOnce();
  });

  it('is cancelled when the window closes after the return from a bank without COOP', async () => {
    const { seen } = await start();
    for (const present of [true, false, true]) {
      presence({ present });
      await world.elapse(2000);
    }
    world.popup().cutOff();
    await world.elapse(1500);
    expect(seen.value).toMatchObject({ status: 'cancelled', reason: 'closed' });
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
      presence(fields, event);
      world.popup().cutOff();
      await world.elapse(60_000);
      expect(seen.state).toBe('pending');
    },
  );
});

it('a page that becomes hidden at the moment of the cut is not a shopper who returned, so the attempt stays pending', async () => {
  const { seen } = await start();
  world.popup().commit();
  await world.elapse(5000);
  world.popup().closed = true;
  world.hide(true);
  world.emit('visibilitychange');
  await world.elapse(20_000);
  expect(seen.state).toBe('pending');
});
