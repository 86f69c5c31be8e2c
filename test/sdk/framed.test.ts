/** A frame inside a top page with COOP, where browsers open a window and return null. */
import { beforeEach, expect, it, vi, type Mock } from 'vitest';
import { newOfAge, useWorld, watch, world } from './world.ts';

useWorld();
let opened: Mock<() => unknown>;
beforeEach(() => {
  vi.stubGlobal('top', {});
  vi.stubGlobal('navigator', { userAgent: '', userActivation: { isActive: true } });
  opened = vi.fn(() => null);
});

it('verify() reports no_user_gesture in a frame if there was no click, and tries to open a window each time', async () => {
  vi.stubGlobal('navigator', { userAgent: '', userActivation: { isActive: false } });
  world.openWith(opened);
  for (let n = 1; n <= 2; n += 1) {
    const seen = watch(newOfAge().verify());
    await world.elapse(0);
    expect(seen.error).toMatchObject({
      code: 'popup_blocked',
      details: { reason: 'no_user_gesture' },
    });
    expect(opened).toHaveBeenCalledTimes(n);
  }
});

it('verify() reports the frame as the reason after a click, and later clicks open no further window', async () => {
  world.openWith(opened);
  for (let n = 0; n < 3; n += 1) {
    const seen = watch(newOfAge().verify());
    await world.elapse(0);
    expect(seen.error).toMatchObject({
      code: 'popup_blocked',
      retryable: false,
      details: { reason: 'framed' },
      message: expect.stringContaining('window (framed): set mode to "redirect". See'),
    });
  }
  expect(opened).toHaveBeenCalledOnce();
  expect(world.fetch).not.toHaveBeenCalled();
});
