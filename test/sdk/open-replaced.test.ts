/** Pages that declare a global function named `open`. */
import { afterEach, expect, it, vi } from 'vitest';
import { enterWorld, FakePopup, leaveWorld, newOfAge, VERIFY_URL } from './world.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

it('verify() opens the window without calling an open() function that the page declares', async () => {
  const world = enterWorld();
  const own = vi.fn();
  vi.unstubAllGlobals();
  const { fetch } = world;
  vi.stubGlobal('fetch', fetch);
  // A function declaration in a classic script creates a property that cannot be configured. The test only
  // makes getOwnPropertyDescriptor() report it as such, because a real one would stay on the window.
  vi.stubGlobal('open', own);
  const describe = Object.getOwnPropertyDescriptor;
  vi.spyOn(Object, 'getOwnPropertyDescriptor').mockImplementation((object, name) => {
    const found = describe(object, name);
    return found && name === 'open' ? { ...found, configurable: false } : found;
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
