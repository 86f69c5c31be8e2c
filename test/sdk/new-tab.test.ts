import { describe, expect, it, vi } from 'vitest';
import { begin, newOfAge, SESSION_ID, useWorld, VERIFY_URL, watch, world } from './world.ts';

useWorld();

describe('the window', () => {
  it('opens before verify() returns, and is still blank then', () => {
    void newOfAge().verify();
    expect(world.popups).toHaveLength(1);
    expect(world.popup().replaced).toEqual([]);
  });

  it('gets a new random name each time and is never opened with noopener', async () => {
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

  it.each<[what: string, reason: string, retryable: boolean, globals: object]>([
    ['window.open returns null', 'blocked', true, {}],
    ['window.open returns undefined', 'blocked', true, { open: () => undefined }],
    ['the window is closed immediately', 'blocked', true, { open: () => ({ closed: true }) }],
    ['window.open throws', 'blocked', true, { open: () => JSON.parse('sandboxed') }],
    [
      'there was no click',
      'no_user_gesture',
      true,
      { navigator: { userAgent: '', userActivation: { isActive: false } } },
    ],
    [
      'the page is in the browser of another app, so another click would not help',
      'webview',
      false,
      { navigator: { userAgent: 'Instagram 300' } },
    ],
    [
      'the page has no origin and could not receive messages',
      'sandboxed',
      false,
      { origin: 'null' },
    ],
    [
      'the page is from a file, which is not sandboxed',
      'file',
      false,
      {
        origin: 'null',
        location: { protocol: 'file:', origin: 'null', href: 'file:///shop.html' },
      },
    ],
  ])(
    'cannot be opened if %s, so verify() rejects with popup_blocked (%s) and sends no request',
    async (_, reason, retryable, globals) => {
      for (const [name, value] of Object.entries({ open: () => null, ...globals }))
        vi.stubGlobal(name, value);
      const onError = vi.fn();
      const seen = await begin({ onError });
      expect(seen.error).toMatchObject({ code: 'popup_blocked', retryable, details: { reason } });
      expect(world.fetch).not.toHaveBeenCalled();
      expect(onError).toHaveBeenCalledExactlyOnceWith(seen.error);
      expect(world.listeners).toEqual([]);
    },
  );

  it('is not even tried on a page without an origin', async () => {
    vi.stubGlobal('origin', 'null');
    watch(newOfAge({ onError() {} }).verify());
    await world.elapse(0);
    expect(world.popups).toEqual([]);
  });

  it('can be blocked after a gesture that only window.open consumed, and verify() reports blocked', async () => {
    const userActivation = { isActive: true };
    vi.stubGlobal('navigator', { userAgent: '', userActivation });
    world.openWith(() => {
      userActivation.isActive = false;
      return null;
    });
    const seen = await begin();
    expect(seen.error.details).toEqual({ reason: 'blocked' });
  });

  it('does not count towards the rate limit when it is blocked', async () => {
    world.openWith(() => null);
    for (let i = 0; i < 8; i++) {
      const seen = await begin();
      expect(seen.error.code).toBe('popup_blocked');
    }
  });
});

describe('the placeholder', () => {
  it.each([
    ['de', '', 'Moment'],
    ['pt-BR', '', 'Um momento'],
    [undefined, 'fr-CA', 'Un moment'],
    ['xx', 'it', 'Un momento'],
  ])(
    'with the option language %s and the page language "%s" shows "%s"',
    (language, pageLang, text) => {
      document.documentElement.lang = pageLang;
      void newOfAge({ language }).verify();
      const { document: shown } = world.popup();
      expect(shown.body.textContent).toBe(text);
      expect(shown.title).toBe(text);
      expect(shown.documentElement.lang).toMatch(/^(de|pt|fr|it)$/);
      expect(shown.querySelector('style, script')).toBeNull();
      document.documentElement.lang = '';
    },
  );

  it('is optional: a window that rejects it still shows the hosted page', async () => {
    const ofAge = newOfAge();
    world.openWith(() => {
      const popup = {
        closed: false,
        location: { href: 'about:blank', replace: vi.fn() },
        close: vi.fn(),
        focus: vi.fn(),
        get document(): Document {
          throw new Error('refused');
        },
      };
      world.popups.push(popup as never);
      return popup;
    });
    void ofAge.verify();
    await world.elapse(0);
    expect((world.popup().location.replace as any).mock.calls).toEqual([[VERIFY_URL]]);
  });
});

describe('verify()', () => {
  it('appends the parameters of this call to verifyUrl without changing its bytes', async () => {
    void newOfAge({ language: 'de' }).verify({
      skipIntro: true,
      autoReturn: true,
      language: 'pt-BR',
    });
    await world.elapse(0);
    expect(world.popup().replaced).toEqual([
      `${VERIFY_URL}&lang=pt&skip_intro=true&auto_return=true`,
    ]);
  });

  it('appends no parameter for an unsupported language or a flag that is false', async () => {
    void newOfAge({ language: 'xx' }).verify({ skipIntro: false });
    await world.elapse(0);
    expect(world.popup().replaced).toEqual([VERIFY_URL]);
  });

  it('sends one request with the key in a header and only fields that the service accepts', async () => {
    void newOfAge({ cancelUrl: 'https://merchant.example/cancel' }).verify({
      externalUserId: 'user-42',
    });
    await world.elapse(0);
    expect(world.fetch).toHaveBeenCalledOnce();
    const [url, init] = world.fetch.mock.calls[0] as [string, RequestInit];
    expect(url).toBe('https://api.ofage.example/api/v1/sessions/create');
    expect(init).toMatchObject({
      method: 'POST',
      credentials: 'omit',
      referrerPolicy: 'strict-origin',
      redirect: 'error',
      headers: { Authorization: 'Bearer pk_test_123', 'Content-Type': 'application/json' },
    });
    expect(JSON.parse(String(init.body))).toEqual({
      returnUrl: 'https://merchant.example/return',
      cancelUrl: 'https://merchant.example/cancel',
      externalUserId: 'user-42',
    });
  });

  it('sends the request to staging with environment "staging"', async () => {
    void newOfAge({ environment: 'staging' }).verify();
    expect(world.fetch.mock.calls[0]![0]).toBe(
      'https://api.staging.ofage.example/api/v1/sessions/create',
    );
  });

  it('rejects with navigation_failed when the window rejects the address', async () => {
    const seen = watch(newOfAge().verify());
    world.popup().location.replace = () => {
      throw new TypeError('no');
    };
    await world.elapse(0);
    expect(seen.error).toMatchObject({ code: 'navigation_failed', sessionId: SESSION_ID });
    expect(seen.error.cause).toBeInstanceOf(TypeError);
    expect(world.popup().closed).toBe(true);
  });
});
