/** Pages whose scripts have a global function or variable named `open`. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { begin, FakePopup, newOfAge, useWorld, VERIFY_URL, world } from './world.ts';

useWorld();
let popup: FakePopup;
let documentOpen: ReturnType<typeof vi.fn>;
beforeEach(() => {
  popup = new FakePopup('', '');
  documentOpen = vi.spyOn(document, 'open').mockReturnValue(popup as never) as never;
});
afterEach(() => {
  vi.restoreAllMocks();
});

/** Makes the double of document.open look like the browser's own function. */
function asInBrowser(): void {
  Object.assign(documentOpen, { toString: () => 'function open() { [native code] }' });
}

async function expectDocumentOpen(): Promise<void> {
  await world.elapse(0);
  expect(documentOpen).toHaveBeenCalledExactlyOnceWith(
    '',
    expect.stringMatching(/^ofage\d+$/),
    'width=480,height=720',
  );
  expect(popup.replaced).toEqual([VERIFY_URL]);
}

describe('verify() opens the window on a page with', () => {
  it.each<[script: string, open: unknown]>([
    ['var open = false', false],
    ['var open = function () {}', () => {}],
    [
      'a variable open that throws',
      () => {
        throw new Error('menu');
      },
    ],
  ])('%s', async (_, own) => {
    asInBrowser();
    vi.stubGlobal('open', own);
    void newOfAge().verify();
    await expectDocumentOpen();
  });

  it('function open() { … }, without calling it', async () => {
    asInBrowser();
    const own = vi.fn();
    vi.stubGlobal('open', own);
    // A function declaration in a classic script creates a property that cannot be configured. The test
    // only makes getOwnPropertyDescriptor() report it as such, because a real one would stay on the window.
    const describe = Object.getOwnPropertyDescriptor;
    vi.spyOn(Object, 'getOwnPropertyDescriptor').mockImplementation((object, name) => {
      const found = describe(object, name);
      return found && name === 'open' ? { ...found, configurable: false } : found;
    });
    void newOfAge().verify();
    await expectDocumentOpen();
    expect(own).not.toHaveBeenCalled();
  });
});

describe('verify() rejects with popup_blocked and opens nothing else', () => {
  it('if a wrapper of window.open returns null, as the browser does when it blocks', async () => {
    asInBrowser();
    world.openWith(() => null);
    const seen = await begin();
    expect(seen.error).toMatchObject({ code: 'popup_blocked' });
    expect(documentOpen).not.toHaveBeenCalled();
  });

  it('if document.open is not native, because it would erase the document in jsdom', async () => {
    vi.stubGlobal('open', () => {});
    const seen = await begin();
    expect(seen.error).toMatchObject({ code: 'popup_blocked' });
    expect(documentOpen).not.toHaveBeenCalled();
  });
});
