import { conform, type BrowserLike, type PageLike } from 'ofage-mock/conformance';
import { createMockService, type MockService } from 'ofage-mock';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { parseHostedSession, type HostedSession } from '../../playground/verify/hosted-session.ts';
import { fetchOf, toKitOptions } from './in-process.ts';
import { createSenderReceiver } from './receivers.ts';

let service: MockService;
beforeEach(() => {
  service = createMockService();
});
afterEach(() => service.close());

/** The properties of a hosted page that the kit can observe. */
interface HostedPage {
  readonly contentType?: string;
  language?(asked: string | null, ofBrowser: string): string;
  asksForCamera?(parameters: URLSearchParams): boolean;
  /** Returns the address to which the page goes after the result. */
  leave?(page: URLSearchParams, session: HostedSession): string;
  /** What the page loads from the shop before the result: an image, a frame, or nothing. */
  readonly loads?: 'image' | 'frame' | 'nothing';
}

const CORRECT: Required<HostedPage> = {
  contentType: 'text/html',
  language: (asked, ofBrowser) =>
    [asked, ofBrowser]
      .map((tag) => tag?.slice(0, 2) ?? '')
      .find((tag) => ['en', 'de', 'es', 'fr', 'pt', 'it'].includes(tag)) ?? 'en',
  asksForCamera: (parameters) => parameters.get('skip_intro') === 'true',
  leave(page, { status, returnUrl, cancelUrl, externalUserId, settledAt }) {
    const base = status === 'cancelled' ? (cancelUrl ?? returnUrl) : returnUrl;
    const added = new URLSearchParams({
      sessionId: page.get('sessionId') ?? '',
      status,
      timestamp: String(Date.parse(settledAt ?? '')),
      ...(externalUserId !== null && { externalUserId }),
    });
    return `${base}${base.includes('?') ? '&' : '?'}${added}`;
  },
  loads: 'nothing',
};

/** Creates a replacement for a browser, in which every address shows this page. */
function browserOf(hosted: HostedPage): BrowserLike {
  return {
    newContext: async ({ locale }) => ({
      clock: { install: async () => {} },
      addInitScript: async () => {},
      newPage: async () => createPage({ ...CORRECT, ...hosted }, locale),
      close: async () => {},
    }),
  };
}

function createPage(hosted: Required<HostedPage>, locale: string): PageLike {
  const frame = {};
  let address = '';
  let notify: Parameters<PageLike['on']>[1] = () => {};
  const parameters = (): URLSearchParams => new URL(address).searchParams;
  return {
    clock: {
      async fastForward() {
        if (!parameters().has('sessionToken')) return;
        const session = await readSession(parameters());
        if (hosted.loads !== 'nothing')
          notify({
            url: () => `${session.returnUrl}&from=${hosted.loads}`,
            isNavigationRequest: () => hosted.loads === 'frame',
            frame: () => (hosted.loads === 'frame' ? {} : frame),
          });
        if (session.settledAt === null) return;
        address = hosted.leave(parameters(), session);
        notify({ url: () => address, isNavigationRequest: () => true, frame: () => frame });
      },
    },
    on: (_event, listener) => (notify = listener),
    route: async () => {},
    async goto(url) {
      address = url;
      return { status: () => 200, headers: () => ({ 'content-type': hosted.contentType }) };
    },
    evaluate: async (expression) =>
      expression.includes('lang')
        ? hosted.language(parameters().get('lang'), locale)
        : Number(hosted.asksForCamera(parameters())),
    url: () => address,
    mainFrame: () => frame,
    close: async () => {},
  };
}

async function readSession(page: URLSearchParams): Promise<HostedSession> {
  const headers = { authorization: `Bearer ${page.get('sessionToken')}` };
  const url = `${service.apiOrigin}/hosted/v1/session`;
  const response = await service.fetch(new Request(url, { headers }));
  return parseHostedSession(await response.json());
}

const check = (hosted: HostedPage, only = ['page', 'callback'], fetch = fetchOf(service)) =>
  conform({
    ...toKitOptions(service, createSenderReceiver().receiver),
    fetch,
    browser: browserOf(hosted),
    patienceMs: 10,
    level: 'reading',
    only,
  });

it('a page that follows the specification passes every check of pages', async () => {
  const results = await check({});
  expect(results.filter(({ status }) => status !== 'passed')).toEqual([]);
  expect(results.length).toBeGreaterThan(20);
});

it('checks with the same plan share a verification, so that a person does it once', async () => {
  await check({}, ['callback', 'page.auto_return', 'page.forged']);
  const ended = (await service.control.sessions()).filter(({ status }) => status !== 'pending');
  // A success, a failure, a cancellation with and without a cancelUrl, and a page with forged parameters.
  expect(ended).toHaveLength(5);
});

it('a person who settles is sent to the page that the kit watches, with its parameters', async () => {
  const options = toKitOptions(service, createSenderReceiver().receiver);
  const opened: string[] = [];
  const settled: string[] = [];
  await conform({
    ...options,
    fetch: fetchOf(service),
    browser: browserOf({
      asksForCamera(parameters) {
        opened.push(parameters.toString());
        return true;
      },
    }),
    driver: {
      ...options.driver,
      async settle(session, status) {
        settled.push(new URL(session.verifyUrl).searchParams.toString());
        await options.driver?.settle?.(session, status);
      },
    },
    patienceMs: 10,
    level: 'reading',
    only: ['page.forged'],
  });
  expect(settled).toEqual([...new Set(opened)]);
  expect(settled[0]).toContain('skip_intro=true');
});

it.each(['image', 'frame'] as const)(
  'a page that loads something from the shop has not gone back to it (%s)',
  async (loads) => {
    const results = await check({ loads }, ['callback', 'page.forged']);
    expect(results.filter(({ status }) => status !== 'passed')).toEqual([]);
  },
);

it('a browser that fails once fails one check, and not every later one', async () => {
  const browser = browserOf({});
  let isFirst = true;
  const results = await conform({
    ...toKitOptions(service, createSenderReceiver().receiver),
    fetch: fetchOf(service),
    browser: {
      async newContext(options) {
        if (!isFirst) return browser.newContext(options);
        isFirst = false;
        throw new Error('the browser is busy');
      },
    },
    patienceMs: 10,
    level: 'reading',
    only: ['page.opens', 'page.skip_intro', 'page.lang.english'],
  });
  expect(results.map(({ status }) => status)).toEqual(['failed', 'passed', 'passed']);
});

it('a check of a shared verification reports its own validate request', async () => {
  const results = await check({}, ['page.forged'], async (url, init) => {
    const response = await fetchOf(service)(url, init);
    if (!String(url).endsWith('/validate')) return response;
    const body = { ...((await response.json()) as object), verified: 'maybe' };
    return new Response(JSON.stringify(body), { status: response.status });
  });
  const wrong = results.find(({ id }) => id === 'page.forged.policy');
  expect(wrong).toMatchObject({ status: 'failed', answer: expect.stringContaining('200') });
});

it('a page gets its parameters before the fragment of its verifyUrl', async () => {
  const results = await check({}, ['page'], async (url, init) => {
    const response = await fetchOf(service)(url, init);
    const body = (await response.json()) as { verifyUrl?: string };
    if (body.verifyUrl !== undefined) body.verifyUrl += '#start';
    return new Response(JSON.stringify(body), { status: response.status });
  });
  expect(results.filter(({ status }) => status !== 'passed')).toEqual([]);
});

it.each<[why: string, page: HostedPage, failed: string[]]>([
  ['is not HTML', { contentType: 'text/plain' }, ['page.opens']],
  [
    'ignores lang',
    { language: (_, ofBrowser) => ofBrowser },
    ['page.lang.values', 'page.lang.variants', 'page.lang.english'],
  ],
  [
    'ignores the language of the browser',
    { language: (asked) => CORRECT.language(asked, 'en') },
    ['page.lang.absent', 'page.lang.unsupported'],
  ],
  ['always shows the intro', { asksForCamera: () => false }, ['page.skip_intro']],
  ['never shows the intro', { asksForCamera: () => true }, ['page.skip_intro']],
  [
    'always reports verified',
    { leave: (page, session) => CORRECT.leave(page, { ...session, status: 'verified' }) },
    ['callback.failed', 'callback.cancelled', 'callback.cancelUrl'],
  ],
  [
    'ignores the cancelUrl',
    { leave: (page, session) => CORRECT.leave(page, { ...session, cancelUrl: null }) },
    ['callback.cancelUrl'],
  ],
  [
    'drops the query of the shop',
    {
      leave: (page, session) =>
        CORRECT.leave(page, {
          ...session,
          returnUrl: session.returnUrl.replace(/\?.*/, ''),
          cancelUrl: session.cancelUrl && session.cancelUrl.replace(/\?.*/, ''),
        }),
    },
    ['callback.cancelUrl.query', 'callback.query', 'callback.query.bytes'],
  ],
  [
    'formats the query of the shop again',
    {
      leave(page, session) {
        const url = new URL(CORRECT.leave(page, session));
        url.searchParams.append('', '');
        return url.href.replace(/&=$/, '');
      },
    },
    ['callback.query.bytes'],
  ],
  [
    'sends seconds, an externalUserId without escapes, and the token',
    {
      leave: (page, session) =>
        decodeURI(CORRECT.leave(page, session))
          .replace(/timestamp=(\d+)\d{3}/, 'timestamp=$1')
          .replace(/(externalUserId=).*/, `$1${session.externalUserId}`)
          .replace(/$/, `&t=${page.get('sessionToken')}`),
    },
    [
      'callback.cancelUrl.no-token',
      'callback.timestamp',
      'callback.externalUserId',
      'callback.query.bytes',
      'callback.no-token',
      'callback.only',
    ],
  ],
  [
    'obeys the parameters of its address',
    {
      leave: (page, session) =>
        CORRECT.leave(page, {
          ...session,
          ...(Object.fromEntries(page) as Partial<HostedSession>),
        }),
    },
    ['page.forged.returnUrl', 'page.forged.status', 'page.forged.externalUserId'],
  ],
])('a page that %s fails only the checks about that', async (_why, page, failed) => {
  const results = await check(page);
  const found = results.filter(({ status }) => status === 'failed');
  expect(found.map(({ id }) => id)).toEqual(failed);
});

it('the failure of a page that does not return to the shop names its current address, and contains no tokens', async () => {
  const [result] = await check({ leave: () => 'https://elsewhere.example/' }, [
    'callback.verified',
  ]);
  expect(result?.failure).toMatchObject({
    sent: expect.stringMatching(
      /^GET https:.*\?sessionId=[^&]+&sessionToken=…&skip_intro=true&auto_return=true$/,
    ),
    expected: 'the page to go back to the shop',
    answered: 'it is still at https://elsewhere.example/',
    examples: [],
  });
});

it('checks of pages are skipped if there is no browser', async () => {
  const results = await conform({
    ...toKitOptions(service, createSenderReceiver().receiver),
    fetch: fetchOf(service),
    only: ['page', 'callback'],
  });
  expect(new Set(results.map(({ reason }) => reason))).toEqual(
    new Set(['needs a Playwright browser (browser)']),
  );
});
