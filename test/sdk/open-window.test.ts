/** How the window opens, and the reasons for which it cannot. */
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { BROWSERS, IN_APP_BROWSERS } from './user-agents.ts';
import { begin, FakePopup, link, newOfAge, useFreshPage, VERIFY_URL, world } from './world.ts';

useFreshPage();

const stub = (globals: object): void =>
  Object.entries(globals).forEach(([name, value]) => vi.stubGlobal(name, value));

/** A navigator that says whether there was a click. */
const clicked = (isActive: boolean): object => ({ userAgent: '', userActivation: { isActive } });

describe('the window', () => {
  it('opens before verify() returns, and is still blank then', () => {
    void newOfAge().verify();
    expect(world.popups).toHaveLength(1);
    expect(world.popup().replaced).toEqual([]);
  });

  it('gets a new random name each time and is never opened with noopener', () => {
    const names = new Set<string>();
    for (let i = 0; i < 4; i++) {
      const ofAge = newOfAge();
      void ofAge.verify();
      names.add(world.popup().name);
      expect(world.popup().features).not.toMatch(/noopener|noreferrer/);
      ofAge.destroy();
    }
    expect(names.size).toBe(4);
    for (const name of names) expect(name).toMatch(/^ofage\d{6,20}$/);
  });

  it.each([
    ['popup', /width=\d+,height=\d+/],
    ['tab', /^$/],
  ] as const)('opens as a %s', (newTabTarget, features) => {
    void newOfAge({ newTabTarget }).verify();
    expect(world.popup().features).toMatch(features);
  });

  it('does not count towards the rate limit when it is blocked', async () => {
    world.openWith(() => null);
    for (let i = 0; i < 8; i++) {
      const seen = await begin();
      expect(seen.error.code).toBe('popup_blocked');
    }
  });

  it('can be blocked after a gesture that only window.open consumed, and verify() reports blocked', async () => {
    const userActivation = { isActive: true };
    stub({ navigator: { userAgent: '', userActivation } });
    world.openWith(() => {
      userActivation.isActive = false;
      return null;
    });
    const seen = await begin();
    expect(seen.error.details).toEqual({ reason: 'blocked' });
  });

  it('is not even tried on a page without an origin', async () => {
    stub({ origin: 'null' });
    await begin({ onError() {} });
    expect(world.popups).toEqual([]);
  });
});

const FILE = { protocol: 'file:', origin: 'null', href: 'file:///shop.html' };

it.each<[what: string, reason: string, globals: object]>([
  ['window.open returns null', 'blocked', {}],
  ['window.open returns undefined', 'blocked', { open: () => undefined }],
  ['the window is closed immediately', 'blocked', { open: () => ({ closed: true }) }],
  ['window.open throws', 'blocked', { open: () => JSON.parse('sandboxed') }],
  ['there was no click', 'no_user_gesture', { navigator: clicked(false) }],
  ...IN_APP_BROWSERS.map(([app, userAgent]): [string, string, object] => [
    `the page is in the browser of ${app}`,
    'webview',
    { navigator: { userAgent } },
  ]),
  ...BROWSERS.map(([browser, userAgent]): [string, string, object] => [
    `a blocker of ${browser} refuses`,
    'blocked',
    { navigator: { userAgent } },
  ]),
  ['the page has no origin and could receive no messages', 'sandboxed', { origin: 'null' }],
  ['the page is from a file', 'file', { origin: 'null', location: FILE }],
])(
  'if %s, verify() rejects with popup_blocked (%s) and sends no request',
  async (_, reason, globals) => {
    stub({ open: () => null, ...globals });
    const onError = vi.fn();
    const seen = await begin({ onError });
    const retryable = reason === 'blocked' || reason === 'no_user_gesture';
    const cure = retryable ? 'call verify() first in a click, allow pop-ups or ' : '';
    expect(seen.error).toMatchObject({
      code: 'popup_blocked',
      retryable,
      details: { reason },
      message: `Cannot open the window (${reason}): ${cure}set mode to "redirect"${link('popup_blocked')}`,
    });
    expect(world.fetch).not.toHaveBeenCalled();
    expect(onError).toHaveBeenCalledExactlyOnceWith(seen.error);
    expect(world.listeners).toEqual([]);
  },
);

describe('on a page whose script has a global function or variable named open, verify()', () => {
  let popup: FakePopup;
  let documentOpen: ReturnType<typeof vi.fn>;
  beforeEach(() => {
    popup = new FakePopup('', '');
    documentOpen = vi.spyOn(document, 'open').mockReturnValue(popup as never) as never;
    // The double looks like the browser's own function.
    Object.assign(documentOpen, { toString: () => 'function open() { [native code] }' });
  });

  async function expectDocumentOpen(): Promise<void> {
    await begin();
    expect(documentOpen).toHaveBeenCalledExactlyOnceWith(
      '',
      expect.stringMatching(/^ofage\d+$/),
      'width=480,height=720',
    );
    expect(popup.replaced).toEqual([VERIFY_URL]);
  }

  it.each<[script: string, open: unknown]>([
    ['var open = false', false],
    ['var open = function () {}', () => {}],
    ['a variable open that throws', () => JSON.parse('menu')],
  ])('opens the window with document.open: %s', async (_, own) => {
    stub({ open: own });
    await expectDocumentOpen();
  });

  it('opens the window with document.open, without calling the function: function open() { … }', async () => {
    const own = vi.fn();
    stub({ open: own });
    // A function declaration in a classic script creates a property that cannot be configured. The test
    // only makes getOwnPropertyDescriptor() report it as such, because a real one would stay on the window.
    const describe = Object.getOwnPropertyDescriptor;
    vi.spyOn(Object, 'getOwnPropertyDescriptor').mockImplementation((object, name) => {
      const found = describe(object, name);
      return found && name === 'open' ? { ...found, configurable: false } : found;
    });
    await expectDocumentOpen();
    expect(own).not.toHaveBeenCalled();
  });

  it.each([
    ['a wrapper of window.open returns null, as the browser does when it blocks', () => null, true],
    ['document.open is not native, because it would erase the document', () => {}, false],
  ])('opens nothing else if %s', async (_, own, isNative) => {
    if (!isNative) Object.assign(documentOpen, { toString: () => 'function open() {}' });
    stub({ open: own });
    const { error } = await begin();
    expect(error).toMatchObject({ code: 'popup_blocked' });
    expect(documentOpen).not.toHaveBeenCalled();
  });
});

describe('in a frame, verify()', () => {
  beforeEach(() => stub({ top: {}, navigator: clicked(true) }));

  it('reports no_user_gesture if there was no click, and tries to open a window each time', async () => {
    stub({ navigator: clicked(false) });
    const opened = vi.fn(() => null);
    world.openWith(opened);
    for (let n = 1; n <= 2; n += 1) {
      const { error } = await begin();
      expect(error).toMatchObject({
        code: 'popup_blocked',
        details: { reason: 'no_user_gesture' },
      });
      expect(opened).toHaveBeenCalledTimes(n);
    }
  });

  it('opens a window in a later click if a popup blocker refused the first one', async () => {
    world.openWith(() => null);
    const { error } = await begin();
    expect(error).toMatchObject({
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

  it('opens no further window if the first one used up the click, as under a top page with COOP', async () => {
    const userActivation = { isActive: true };
    stub({ navigator: { userAgent: '', userActivation } });
    const opened = vi.fn(() => {
      userActivation.isActive = false;
      return null;
    });
    world.openWith(opened);
    for (let n = 0; n < 3; n += 1) {
      userActivation.isActive = true;
      const { error } = await begin();
      expect(error).toMatchObject({
        code: 'popup_blocked',
        retryable: false,
        details: { reason: 'framed' },
        message: expect.stringContaining('window (framed): set mode to "redirect". See'),
      });
    }
    expect(opened).toHaveBeenCalledOnce();
    expect(world.fetch).not.toHaveBeenCalled();
  });
});
