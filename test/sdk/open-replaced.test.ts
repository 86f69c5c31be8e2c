/** Pages with a function of their own named `open`. In a file of its own, since it stays on the window. */
import { afterEach, expect, it, vi } from 'vitest';
import { enterWorld, FakePopup, leaveWorld, newOfAge, VERIFY_URL } from './world.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

it('a function that a script of the page declares: the window opens, and the function is not called', async () => {
  const world = enterWorld();
  const own = vi.fn();
  vi.unstubAllGlobals();
  const { fetch } = world;
  vi.stubGlobal('fetch', fetch);
  // What the engine does for a function declaration of a classic script.
  Object.defineProperty(globalThis, 'open', {
    value: own,
    writable: true,
    enumerable: true,
    configurable: false,
  });
  const popup = new FakePopup('', '');
  const documentOpen = vi.spyOn(document, 'open').mockReturnValue(popup as never);
  void newOfAge().verify();
  await world.elapse(0);
  expect(own).not.toHaveBeenCalled();
  expect(documentOpen).toHaveBeenCalledExactlyOnceWith(
    '',
    expect.stringMatching(/^ofage\d+$/),
    'width=480,height=720',
  );
  expect(popup.replaced).toEqual([VERIFY_URL]);
  leaveWorld();
});
