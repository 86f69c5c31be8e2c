import { describe, expect, it, vi } from 'vitest';
import {
  begin,
  CREATED,
  FakePopup,
  link,
  newOfAge,
  SESSION_ID,
  START_MS,
  useWorld,
  VERIFY_URL,
  watch,
  world,
} from './world.ts';

useWorld();

const CANCEL_URL = 'https://merchant.example/cancel';

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
    const popup = Object.defineProperty(new FakePopup('', ''), 'document', {
      get() {
        throw new Error('refused');
      },
    });
    world.openWith(() => popup);
    await begin();
    expect(popup.replaced).toEqual([VERIFY_URL]);
  });
});

describe('verify() in new-tab mode', () => {
  it('appends the parameters of this call to verifyUrl without changing its bytes', async () => {
    await begin({ language: 'de' }, { skipIntro: true, autoReturn: true, language: 'pt-BR' });
    expect(world.popup().replaced).toEqual([
      `${VERIFY_URL}&lang=pt&skip_intro=true&auto_return=true`,
    ]);
  });

  it('appends no parameter for an unsupported language or a flag that is false', async () => {
    await begin({ language: 'xx' }, { skipIntro: false });
    expect(world.popup().replaced).toEqual([VERIFY_URL]);
  });

  it('sends one request with the key in a header and only fields that the service accepts', async () => {
    await begin({ cancelUrl: CANCEL_URL }, { externalUserId: 'user-42' });
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
      cancelUrl: CANCEL_URL,
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

  it.each(['verified', 'failed'] as const)(
    'calls onComplete once with "%s", then resolves the promise, and closes the window',
    async (status) => {
      const order: string[] = [];
      const onComplete = vi.fn(() => void order.push('callback'));
      const onCancel = vi.fn();
      const ofAge = newOfAge({
        onComplete,
        onCancel,
        cancelUrl: CANCEL_URL,
      });
      const promise = ofAge.verify({ externalUserId: 'user-42' });
      void promise.then(() => order.push('promise'));
      await world.elapse(0);
      world.message({ status, timestamp: 1760000000000 });
      world.message({ status });
      await world.elapse(20_000);
      const result = {
        status,
        sessionId: SESSION_ID,
        timestamp: 1760000000000,
        externalUserId: 'user-42',
      };
      expect(await promise).toEqual(result);
      expect(onComplete).toHaveBeenCalledExactlyOnceWith(result);
      expect(order).toEqual(['callback', 'promise']);
      expect(onCancel).not.toHaveBeenCalled();
      expect(world.assign).not.toHaveBeenCalled();
      expect(world.popup().closed).toBe(true);
    },
  );

  it('removes its listeners and closes the window before the callback runs', async () => {
    let atCallback: unknown;
    void newOfAge({
      onComplete() {
        atCallback = [world.listeners.length, world.popup().closed];
      },
    }).verify();
    await world.elapse(0);
    world.message({ status: 'verified' });
    expect(atCallback).toEqual([0, true]);
  });

  it('reports reason user after the cancel button, calls onCancel and then navigates to cancelUrl', async () => {
    const order: string[] = [];
    const onCancel = vi.fn(() => void order.push('callback'));
    world.assign.mockImplementation(() => order.push('navigation'));
    const promise = newOfAge({
      onCancel,
      cancelUrl: 'https://merchant.example/cancel?o=1#f',
    }).verify();
    void promise.then(() => order.push('promise'));
    await world.elapse(0);
    world.message({ status: 'cancelled', timestamp: 1760000000000 });
    await world.elapse(0);
    expect(await promise).toEqual({
      status: 'cancelled',
      reason: 'user',
      sessionId: SESSION_ID,
      timestamp: 1760000000000,
    });
    expect(onCancel).toHaveBeenCalledExactlyOnceWith();
    expect(world.assign.mock.calls).toEqual([
      [
        `https://merchant.example/cancel?o=1&status=cancelled&sessionId=${SESSION_ID}&timestamp=1760000000000#f`,
      ],
    ]);
    expect(order).toEqual(['callback', 'promise', 'navigation']);
  });

  it('adds this computer’s time to cancelUrl when the message has no timestamp', async () => {
    await begin({ cancelUrl: CANCEL_URL });
    world.message({ status: 'cancelled' });
    await world.elapse(0);
    expect(world.assign.mock.calls[0]![0]).toContain(`&timestamp=${START_MS}`);
  });

  it.each([
    ['false', () => false, 0],
    ['undefined', () => undefined, 1],
    ['true', () => true, 1],
    ['a promise of false', async () => false, 1],
    [
      'an exception',
      () => {
        throw new Error('merchant bug');
      },
      1,
    ],
  ] as Array<[string, () => any, number]>)(
    'navigates to cancelUrl unless onCancel returns false: %s',
    async (_, onCancel, navigations) => {
      const promise = newOfAge({ onCancel, cancelUrl: CANCEL_URL }).verify();
      await world.elapse(0);
      world.message({ status: 'cancelled' });
      await Promise.resolve();
      if (_ === 'an exception') expect(() => vi.runAllTimers()).toThrow('merchant bug');
      await world.elapse(0);
      expect((await promise).status).toBe('cancelled');
      expect(world.assign).toHaveBeenCalledTimes(navigations);
    },
  );

  it('reports an exception of onComplete asynchronously and still resolves', async () => {
    const seen = await begin({
      onComplete() {
        throw new Error('merchant bug');
      },
    });
    world.message({ status: 'verified' });
    await Promise.resolve();
    expect(seen.value).toEqual({ status: 'verified', sessionId: SESSION_ID }); // without a timestamp
    expect(() => vi.runAllTimers()).toThrow('merchant bug');
  });

  it('rejects with session_expired after ten minutes and five seconds, and closes the window', async () => {
    const onCancel = vi.fn();
    const seen = await begin({ onCancel });
    world.popup().commit();
    await world.elapse(604_500);
    expect(seen.state).toBe('pending');
    await world.elapse(1000);
    const message = `No result in 10 minutes: call handleReturn() at returnUrl${link('session_expired')}`;
    expect(seen.error).toMatchObject({ code: 'session_expired', sessionId: SESSION_ID, message });
    expect(world.popup().closed).toBe(true);
    expect(onCancel).not.toHaveBeenCalled();
  });

  it('ignores expiresAt, which comes from another computer’s clock', async () => {
    world.answer({ body: { ...CREATED, expiresAt: '2020-01-01T00:00:00Z' } });
    const seen = await begin();
    await world.elapse(60_000);
    expect(seen.state).toBe('pending');
  });
});

describe('verify(), when the page unloads,', () => {
  it('closes a window that is still blank', () => {
    world.hang();
    void newOfAge().verify();
    world.emit('pagehide', { persisted: false });
    expect(world.popup().closed).toBe(true);
  });

  it('keeps the window of a running verification open', async () => {
    await begin();
    world.emit('pagehide', { persisted: false });
    expect(world.popup().closed).toBe(false);
  });
});
