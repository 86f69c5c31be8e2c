import { describe, expect, it, vi } from 'vitest';
import { PRESENCE_TYPE } from '../../src/brand.ts';
import { newOfAge, SESSION_ID, watch, world } from './world.ts';
import { CANCEL_URL, start, useWindows, warned } from './a-watched-window.ts';

useWindows();

describe('a window that was severed (COOP)', () => {
  it('right after a second click that brought it to the front: not cancelled', async () => {
    const onCancel = vi.fn();
    const ofAge = newOfAge({ onCancel, cancelUrl: CANCEL_URL });
    const seen = watch(ofAge.verify());
    await world.elapse(200);
    world.emit('focus'); // the shopper looks for the button again
    void ofAge.verify();
    world.emit('blur');
    await world.elapse(100);
    world.popup().closed = true;
    await world.elapse(60_000);
    expect(onCancel).not.toHaveBeenCalled();
    world.relay({ status: 'verified' });
    await world.elapse(0);
    expect(seen.value).toMatchObject({ status: 'verified' });
  });

  it.each([-1000, -500, -300, -100, -10, 0, 10, 100, 300, 500, 1000])(
    'while the verification page arrives, with the shopper here %i ms after the cut: not cancelled',
    async (focusMs) => {
      const { seen, onCancel } = await start();
      world.emit('blur'); // the window opened in front
      await world.elapse(1000 + Math.min(0, focusMs));
      if (focusMs < 0) world.emit('focus');
      await world.elapse(Math.max(0, -focusMs));
      world.popup().closed = true;
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
    ['half a second before', -500],
    ['half a second after', 500],
    ['never', undefined],
  ])(
    'a window that worked and leaves for a bank with COOP, the shopper here %s: not cancelled',
    async (_, focusMs) => {
      const { seen, onCancel } = await start();
      world.emit('blur'); // the window opened in front: this browser reports the focus
      world.popup().commit();
      await world.elapse(5000);
      if (focusMs === -500) world.emit('focus');
      await world.elapse(500);
      world.popup().closed = true;
      await world.elapse(500);
      if (focusMs === 500) world.emit('focus');
      await world.elapse(60_000);
      expect(seen.state).toBe('pending');
      expect(onCancel).not.toHaveBeenCalled();
      expect(warned).toHaveBeenCalledOnce();
    },
  );

  it('with the shopper here for a tenth of a second just before: not cancelled', async () => {
    const { seen } = await start();
    world.emit('blur'); // the window opened in front
    world.popup().commit();
    await world.elapse(5000);
    world.emit('focus');
    await world.elapse(100);
    world.emit('blur'); // back to the window, which goes to a bank
    await world.elapse(100);
    world.popup().closed = true;
    await world.elapse(60_000);
    expect(seen.state).toBe('pending');
  });

  it('late, with the shopper here two seconds after: has its five seconds', async () => {
    const { seen } = await start();
    world.popup().commit();
    await world.elapse(30_000);
    world.popup().closed = true; // the return page has COOP
    await world.elapse(2300);
    world.emit('focus');
    await world.elapse(300);
    expect(seen.state).toBe('pending');
    world.relay({ status: 'verified' });
    await world.elapse(0);
    expect(seen.value).toMatchObject({ status: 'verified' });
  });

  it.each([
    ['never shown as another origin (Firefox, WebKit)', 0],
    ['shown for 28 ms (Chromium, the longest of 60 runs)', 28],
  ])('%s: never cancelled by itself', async (_, shownMs) => {
    const { seen, onCancel } = await start();
    await world.elapse(240 - shownMs);
    if (shownMs) {
      world.popup().commit();
      await world.elapse(shownMs);
    }
    world.popup().closed = true;
    await world.elapse(590_000);
    expect(seen.state).toBe('pending');
    expect(onCancel).not.toHaveBeenCalled();
    expect(world.assign).not.toHaveBeenCalled();
    expect(warned).toHaveBeenCalledOnce();
    await world.elapse(30_000);
    expect(seen.error.code).toBe('session_expired');
  });

  it('this page being hidden at that moment, as when a tab opens, is no return of the shopper', async () => {
    const { seen } = await start({ newTabTarget: 'tab' });
    world.hide(true);
    world.emit('visibilitychange');
    await world.elapse(100);
    world.popup().closed = true;
    await world.elapse(60_000);
    expect(seen.state).toBe('pending');
  });

  it('a poll that happens to meet the 28 ms is not fooled', async () => {
    const { seen } = await start();
    await world.elapse(290);
    world.popup().commit();
    await world.elapse(20); // the look at 300 ms sees another origin
    world.popup().closed = true;
    await world.elapse(60_000);
    expect(seen.state).toBe('pending');
  });

  it('behind a tab that hides this page, a window that worked is not cancelled by itself', async () => {
    const { seen } = await start({ newTabTarget: 'tab' });
    world.hide(true);
    world.emit('visibilitychange');
    world.popup().commit();
    await world.elapse(5000);
    world.popup().closed = true;
    await world.elapse(60_000);
    expect(seen.state).toBe('pending');
  });

  it('the shopper coming back later proves nothing', async () => {
    const { seen } = await start();
    world.popup().closed = true;
    await world.elapse(3000);
    world.emit('focus');
    await world.elapse(60_000);
    expect(seen.state).toBe('pending');
  });

  it('the shopper having been here long before proves nothing either', async () => {
    const { seen } = await start();
    world.emit('focus');
    await world.elapse(1100);
    world.popup().closed = true;
    await world.elapse(60_000);
    expect(seen.state).toBe('pending');
  });

  it.each(['verified', 'failed', 'cancelled'] as const)(
    '%s arrives from the return page',
    async (status) => {
      const { seen } = await start();
      world.popup().closed = true;
      await world.elapse(60_000);
      world.relay({ status, timestamp: 1760000000000 });
      await world.elapse(0);
      expect(seen.value).toMatchObject({ status, sessionId: SESSION_ID, timestamp: 1760000000000 });
    },
  );

  it('a message without source is heard, since the window reads closed', async () => {
    const { seen } = await start();
    world.popup().closed = true;
    await world.elapse(60_000);
    world.message({ status: 'verified' }, { source: null });
    await world.elapse(0);
    expect(seen.value).toMatchObject({ status: 'verified' });
  });

  it('severed late, when the return page has COOP: the relay has five seconds', async () => {
    const { seen, onCancel } = await start();
    world.popup().commit();
    await world.elapse(30_000);
    world.popup().closed = true;
    await world.elapse(3000);
    world.relay({ status: 'verified' });
    await world.elapse(10_000);
    expect(seen.value).toMatchObject({ status: 'verified' });
    expect(onCancel).not.toHaveBeenCalled();
  });
});

describe('a verification page that says where it is', () => {
  const presence = (fields: object, event = {}): void =>
    world.message({ type: PRESENCE_TYPE, ...fields }, event);

  it('is there and then closed, without any sign of the shopper here: cancelled after one second', async () => {
    const { seen } = await start();
    world.emit('blur');
    presence({ present: true });
    await world.elapse(200);
    world.popup().closed = true;
    await world.elapse(900);
    expect(seen.state).toBe('pending');
    await world.elapse(300);
    expect(seen.value).toMatchObject({ status: 'cancelled', reason: 'closed' });
  });

  it('leaves for a bank with COOP, with the shopper here at that moment: not cancelled', async () => {
    const { seen, onCancel } = await start();
    world.popup().commit();
    presence({ present: true });
    await world.elapse(5000);
    presence({ present: false });
    world.emit('focus');
    world.popup().closed = true;
    await world.elapse(60_000);
    expect(seen.state).toBe('pending');
    expect(onCancel).not.toHaveBeenCalled();
    expect(warned).toHaveBeenCalledOnce();
  });

  it('comes back from a bank without COOP, and is closed: cancelled', async () => {
    const { seen } = await start();
    for (const present of [true, false, true]) {
      presence({ present });
      await world.elapse(2000);
    }
    world.popup().closed = true;
    await world.elapse(1500);
    expect(seen.value).toMatchObject({ status: 'cancelled', reason: 'closed' });
  });

  it.each([
    ['another window', { present: true }, { source: {} }],
    ['another origin', { present: true }, { origin: 'https://evil.example' }],
    ['the return page’s origin', { present: true }, { origin: 'https://merchant.example' }],
    ['another session', { present: true, sessionId: 'another' }, {}],
    ['a script of this page', { present: true }, { isTrusted: false }],
    ['the page, with another word than true', { present: 'yes' }, {}],
  ])('is not taken at its word when that comes from %s', async (_, fields, event) => {
    const { seen } = await start();
    world.emit('blur');
    presence(fields, event);
    world.popup().closed = true;
    await world.elapse(60_000);
    expect(seen.state).toBe('pending');
  });
});
