/** A frame inside a top page with COOP, where browsers open a window and return null. */
import { beforeEach, expect, it, vi, type Mock } from 'vitest';
import { begin, FakePopup, useWorld, world } from './world.ts';

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
    const seen = await begin();
    expect(seen.error).toMatchObject({
      code: 'popup_blocked',
      details: { reason: 'no_user_gesture' },
    });
    expect(opened).toHaveBeenCalledTimes(n);
  }
});

it('verify() opens a window in a later click if a popup blocker refused the first one', async () => {
  world.openWith(opened);
  const refused = await begin();
  expect(refused.error).toMatchObject({
    code: 'popup_blocked',
    retryable: true,
    details: { reason: 'framed' },
    message: expect.stringContaining('allow pop-ups'),
  });
  const popup = new FakePopup('', ''); // the shopper has allowed pop-ups
  world.openWith(() => popup);
  const next = await begin();
  expect(next.state).toBe('pending');
  expect(popup.replaced).toHaveLength(1);
});

it('verify() opens no further window if the first one used up the click, as under a top page with COOP', async () => {
  const userActivation = { isActive: true };
  vi.stubGlobal('navigator', { userAgent: '', userActivation });
  opened.mockImplementation(() => {
    userActivation.isActive = false;
    return null;
  });
  world.openWith(opened);
  for (let n = 0; n < 3; n += 1) {
    userActivation.isActive = true;
    const seen = await begin();
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
