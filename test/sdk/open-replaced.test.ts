/** Pages with a function of their own named `open`. */
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
  // What the engine makes of a function declaration of a classic script. It is only reported here,
  // because a property that cannot be configured would stay on the window.
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
