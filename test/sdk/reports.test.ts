/** What the reporter of the mock sees of a page, and that nothing private leaves the page. */
import { describe, expect, it, vi } from 'vitest';
import { createReporter } from '../../mock-server/reporter/reporter.ts';
import { reportOn } from '../../mock-server/reporter/report-on.ts';
import { PRODUCTION_API, STAGING_API } from '../../src/brand.ts';
import { createOfAge } from '../../src/of-age.ts';
import { handleReturn } from '../../src/flows/return-page.ts';
import { SESSION_ID, useWorld, world } from './world.ts';

useWorld();

const KEY = 'pk_test_123';
const OPTIONS = { apiKey: KEY, returnUrl: 'https://merchant.example/return?cart=1#top' };

/** Creates an SDK that reports, and the bodies that it has sent. */
function aPage() {
  const sent: any[] = [];
  const reporter = createReporter({
    url: 'http://127.0.0.1:4010/reports/v1',
    async fetch(_url, init) {
      sent.push(JSON.parse(String(init.body)));
      return new Response(null, { status: 204 });
    },
  });
  const Sdk = Object.assign(createOfAge(PRODUCTION_API, STAGING_API), { handleReturn });
  const OfAge = reportOn(Sdk, reporter);
  return {
    OfAge,
    Sdk,
    sent,
    /** Returns the reports of the SDK, each as `[kind, facts]`, once all have been sent. */
    async reports(): Promise<any[]> {
      await world.elapse(1_000);
      return sent.flatMap(({ reports }) => reports).filter(({ kind }) => !kind.startsWith('page.'));
    },
  };
}

const kindsOf = (reports: readonly any[]): string[] => reports.map(({ kind }) => kind);

describe('a page that reports', () => {
  it('reports a verification from the constructor to its result', async () => {
    const page = aPage();
    const onComplete = vi.fn(() => 'thanks');
    const ofAge = new page.OfAge(Object.freeze({ ...OPTIONS, mode: 'new-tab', onComplete }));
    const promise = ofAge.verify({ externalUserId: 'private-person', skipIntro: true });
    await world.elapse(1_000);
    world.message({ status: 'verified', timestamp: 1_700_000_000_000, token: 'private' });
    await promise;
    const reports = await page.reports();
    expect(kindsOf(reports)).toEqual([
      'sdk.created',
      'verify.called',
      'window.opened',
      'session.created',
      'message.received',
      'callback.called',
      'verify.resolved',
    ]);
    const [created, called, opened, session, message, callback, resolved] = reports;
    expect(created.facts).toMatchObject({
      mode: 'new-tab',
      returnUrl: 'https://merchant.example/return',
      callbacks: 'onComplete',
    });
    expect(called.facts).toMatchObject({ externalUserId: 'priv…', skipIntro: true });
    expect(opened.facts).toEqual({ isOpen: true });
    expect(session.sessionId).toBe(SESSION_ID);
    expect(message.facts).toMatchObject({ status: 'verified', hasEffect: true });
    expect(callback.facts).toMatchObject({ name: 'onComplete', returned: 'thanks' });
    expect(resolved).toMatchObject({ sessionId: SESSION_ID, facts: { status: 'verified' } });
    const attempts = new Set(
      [called, opened, session, callback, resolved].map((it) => it.attemptId),
    );
    expect([...attempts]).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/)]);
    expect(page.sent.every(({ key }) => key === KEY)).toBe(true);
    const { key: _key, ...rest } = page.sent[0];
    expect(JSON.stringify([rest, ...page.sent.slice(1).map(({ reports }) => reports)])).not.toMatch(
      /private|cart|pk_test|#top|st_a/,
    );
  });

  it('reports a blocked window', async () => {
    const page = aPage();
    world.openWith(() => null);
    const promise = new page.OfAge({ ...OPTIONS, mode: 'new-tab' }).verify();
    await expect(promise).rejects.toMatchObject({ code: 'popup_blocked' });
    const reports = await page.reports();
    expect(kindsOf(reports)).toEqual([
      'sdk.created',
      'verify.called',
      'window.opened',
      'verify.rejected',
    ]);
    expect(reports[2].facts).toEqual({ isOpen: false });
    expect(reports[3]).toMatchObject({ facts: { code: 'popup_blocked' } });
    expect(reports[3].attemptId).toBe(reports[1].attemptId);
  });

  it('reports a message without an effect, and no message of others', async () => {
    const page = aPage();
    void new page.OfAge({ ...OPTIONS, mode: 'new-tab' }).verify();
    await world.elapse(1_000);
    world.message({ status: 'verified' }, { origin: 'https://evil.example' });
    world.message({ type: 'other', secret: 'private' });
    world.emit('message', { data: null, origin: 'https://evil.example' });
    const reports = await page.reports();
    const messages = reports.filter(({ kind }) => kind === 'message.received');
    expect(messages).toHaveLength(1);
    expect(messages[0].facts).toMatchObject({ from: 'https://evil.example', hasEffect: false });
    expect(JSON.stringify(page.sent)).not.toContain('private');
  });

  it('reports a second click as a part of the attempt that it continues', async () => {
    const page = aPage();
    const ofAge = new page.OfAge({ ...OPTIONS, mode: 'new-tab' });
    const first = ofAge.verify();
    await world.elapse(1_000);
    expect(ofAge.verify()).toBe(first);
    const called = (await page.reports()).filter(({ kind }) => kind === 'verify.called');
    expect(called).toHaveLength(2);
    expect(called[0].attemptId).toBe(called[1].attemptId);
  });

  it('reports refused options, and never a secret key', async () => {
    const page = aPage();
    const secret = 'sk_0123456789abcdef0123456789abcdef';
    expect(() => new page.OfAge({ ...OPTIONS, apiKey: secret })).toThrow('secret');
    expect(await page.reports()).toEqual([]);
    expect(() => new page.OfAge({ ...OPTIONS, mode: 'tab' as never })).toThrow('mode must be');
    const reports = await page.reports();
    expect(kindsOf(reports)).toEqual(['sdk.refused', 'sdk.refused']);
    expect(JSON.stringify(page.sent)).not.toContain(secret);
  });

  it('reports a return by its session, on a page without a key', async () => {
    const page = aPage();
    const url = `https://merchant.example/return?cart=private&sessionId=${SESSION_ID}&status=verified&timestamp=1`;
    expect(page.OfAge.handleReturn(url)).toMatchObject({ status: 'verified' });
    expect(await page.reports()).toMatchObject([
      { kind: 'return.read', sessionId: SESSION_ID, facts: { status: 'verified' } },
    ]);
    expect(page.sent[0]).toMatchObject({ sessionId: SESSION_ID });
    expect(JSON.stringify(page.sent)).not.toContain('private');
  });

  it('sends nothing before it knows whose reports these are', async () => {
    const page = aPage();
    page.OfAge.handleReturn('https://merchant.example/');
    world.emit('pageshow', { persisted: true });
    expect(await page.reports()).toEqual([]);
    expect(page.sent).toEqual([]);
  });
});

describe('the constructor that reports', () => {
  it('is that of the SDK to a page', async () => {
    const { OfAge, Sdk } = aPage();
    const ofAge = new OfAge(OPTIONS);
    expect(ofAge).toBeInstanceOf(OfAge);
    expect(ofAge).toBeInstanceOf(Sdk);
    expect(ofAge.constructor).toBe(OfAge);
    expect([OfAge.VERSION, OfAge.name, OfAge.length]).toEqual([Sdk.VERSION, Sdk.name, Sdk.length]);
    expect(Object.keys(ofAge)).toEqual(['verify', 'destroy']);
    class Own extends OfAge {}
    expect(new Own(OPTIONS)).toBeInstanceOf(Own);
    // @ts-expect-error -- a page may forget `new`
    expect(() => OfAge(OPTIONS)).toThrow(TypeError);
  });

  it('leaves the functions of the page as they were', () => {
    const before = [window.open, globalThis.fetch, globalThis.Promise, console.warn];
    const { OfAge } = aPage();
    void new OfAge({ ...OPTIONS, mode: 'new-tab' }).verify();
    const after = [window.open, globalThis.fetch, globalThis.Promise, console.warn];
    expect(after.every((value, index) => value === before[index])).toBe(true);
  });

  it('does not handle a rejection, which the browser reports as before', async () => {
    const { OfAge } = aPage();
    world.openWith(() => null);
    const { then } = Promise.prototype;
    const handled: unknown[] = [];
    Reflect.set(Promise.prototype, 'then', function (this: Promise<unknown>, ...args: unknown[]) {
      handled.push(this);
      return Reflect.apply(then, this, args);
    });
    const promise = new OfAge({ ...OPTIONS, mode: 'new-tab' }).verify();
    Reflect.set(Promise.prototype, 'then', then);
    expect(handled.includes(promise)).toBe(false);
    await expect(promise).rejects.toThrow();
  });
});

describe('a report that cannot be sent', () => {
  it('is refused once, and then the page sends no more', async () => {
    const debug = vi.spyOn(console, 'debug').mockImplementation(() => {});
    const fetch = vi.fn(async () => new Response('not allowed', { status: 403 }));
    const reporter = createReporter({ url: 'http://127.0.0.1:4010/reports/v1', fetch });
    reporter.useKey(KEY);
    for (let n = 0; n < 3; n += 1) {
      reporter.add('page.hidden', {});
      await world.elapse(1_000);
    }
    expect(fetch).toHaveBeenCalledTimes(1);
    expect(debug.mock.calls).toEqual([[expect.stringContaining('403 not allowed')]]);
  });

  it.each([
    ['an unnamed violation of the policy', 1, ''],
    ['a violation by another address', 1, 'https://evil.example/'],
    ['a refusal of its own address', 0, 'http://127.0.0.1:4010/reports/v1'],
    ['a refusal of its origin', 0, 'http://127.0.0.1:4010'],
  ])('after %s, the page sends %i requests', async (_, requests, blockedURI) => {
    const page = aPage();
    world.emit('securitypolicyviolation', { blockedURI });
    void new page.OfAge(OPTIONS);
    await page.reports();
    expect(page.sent).toHaveLength(requests);
  });

  it('is tried with a beacon first, which a policy refuses with one line in the console', async () => {
    const sent: string[] = [];
    const reporter = createReporter({
      url: 'http://127.0.0.1:4010/reports/v1',
      async fetch() {
        sent.push('fetch');
        return new Response(null, { status: 204 });
      },
      beacon: () => void sent.push('beacon'),
    });
    reporter.useKey(KEY);
    for (let n = 0; n < 3; n += 1) {
      reporter.add('page.visible', {});
      await world.elapse(1_000);
    }
    expect(sent).toEqual(['beacon', 'fetch', 'fetch']);
  });

  it('reaches a mock on this computer without a network', async () => {
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    const page = aPage();
    void new page.OfAge(OPTIONS);
    expect(kindsOf(await page.reports())).toEqual(['sdk.created']);
  });

  it('waits for the network if it needs one, and then arrives once', async () => {
    const onLine = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    const bodies: string[] = [];
    const fetch = vi.fn(async (_url: string, { body }: RequestInit) => {
      if (!navigator.onLine) throw new TypeError('no network');
      bodies.push(String(body));
      return new Response(null, { status: 204 });
    });
    const reporter = createReporter({ url: 'http://127.0.0.1:4010/reports/v1', fetch });
    reporter.useKey(KEY);
    for (const kind of ['page.hidden', 'page.visible'] as const) {
      reporter.add(kind, {});
      await world.elapse(1_000);
    }
    expect(fetch).toHaveBeenCalledTimes(1);
    onLine.mockReturnValue(true);
    world.emit('online', {});
    await world.elapse(1_000);
    const reports = bodies.flatMap((body) => JSON.parse(body).reports);
    expect(kindsOf(reports)).toEqual(['page.hidden', 'page.visible']);
  });

  it('throws nothing after a test has removed its page', async () => {
    const page = aPage();
    void new page.OfAge(OPTIONS);
    vi.stubGlobal('location', undefined);
    await world.elapse(1_000);
    expect(page.sent).toEqual([]);
    vi.unstubAllGlobals();
  });

  it('throws nothing into the page, whatever fails', async () => {
    const fetch = vi.fn(async () => Promise.reject(new TypeError('blocked by the policy')));
    const reporter = createReporter({ url: 'http://127.0.0.1:4010/reports/v1', fetch });
    const OfAge = reportOn(createOfAge(PRODUCTION_API, STAGING_API), reporter);
    const ofAge = new OfAge({ ...OPTIONS, mode: 'new-tab' });
    const promise = ofAge.verify();
    await world.elapse(1_000);
    world.message({ status: 'verified' });
    await expect(promise).resolves.toMatchObject({ status: 'verified' });
    await world.elapse(1_000);
    expect(fetch).toHaveBeenCalledTimes(1);
  });
});
