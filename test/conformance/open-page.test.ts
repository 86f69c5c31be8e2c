import { describe, expect, it } from 'vitest';
import type {
  BrowserLike,
  PageLike,
  RequestLike,
  ResponseLike,
} from '../../mock-server/conformance/pages/browser-like.ts';
import { createContexts } from '../../mock-server/conformance/pages/contexts.ts';

const SHOP = ['https://shop.example/return', 'https://shop.example/cancelled'];

/** A browser that records what the kit does. `page` replaces parts of its pages. */
function aBrowser(page: Partial<PageLike> = {}, failing?: string) {
  const done: string[] = [];
  let notify: (request: RequestLike) => void = () => {};
  const frame = {};
  const browser: BrowserLike = {
    async newContext({ locale }) {
      if (locale === failing) throw new Error('The browser has no such language');
      done.push(`context ${locale}`);
      return {
        clock: { install: async () => void done.push('install clock') },
        addInitScript: async ({ content }) => void done.push(`script ${content.length > 0}`),
        close: async () => void done.push(`close ${locale}`),
        newPage: async () => ({
          clock: { fastForward: async () => void done.push('move clock') },
          on(_event, listener) {
            notify = listener;
          },
          async route(matches, handler) {
            const answers: string[] = [];
            const route = {
              fulfill: async ({ contentType }: { contentType: string }) =>
                void answers.push(contentType),
            };
            const urls = [...SHOP, `${SHOP[0]}?status=verified`, 'https://api.example/return'];
            for (const url of urls) {
              if (matches(new URL(url))) await handler(route);
              else answers.push('none');
            }
            done.push(`answers ${answers.join()}`);
          },
          goto: async () => null,
          evaluate: async () => null,
          url: () => 'https://verify.example/',
          mainFrame: () => frame,
          close: async () => void done.push('close page'),
          ...page,
        }),
      };
    },
  };
  const request = (url: string, isNavigation = true, from: object = frame): void =>
    notify({ url: () => url, isNavigationRequest: () => isNavigation, frame: () => from });
  return { browser, done, request };
}

const open = ({ browser }: ReturnType<typeof aBrowser>, hasClock = false, patienceMs = 0) =>
  createContexts(browser, { hasClock, patienceMs }).open('https://verify.example/', 'en', SHOP);

describe('the contexts of the browser', () => {
  it('are one for each language, with a clock only if the kit moves it', async () => {
    for (const hasClock of [false, true]) {
      const own = aBrowser();
      const contexts = createContexts(own.browser, { hasClock, patienceMs: 0 });
      for (const locale of ['en', 'de', 'en', 'de']) await contexts.open('x:', locale, SHOP);
      const prepared = own.done.filter((text) => !text.startsWith('answers'));
      const each = (locale: string): string[] => [
        `context ${locale}`,
        'script true',
        ...(hasClock ? ['install clock'] : []),
      ];
      expect(prepared).toEqual([...each('en'), ...each('de')]);
    }
  });

  it('are all closed, although one could not be created', async () => {
    const own = aBrowser({}, 'de');
    const contexts = createContexts(own.browser, { hasClock: false, patienceMs: 0 });
    await contexts.open('x:', 'en', SHOP);
    await expect(contexts.open('x:', 'de', SHOP)).rejects.toThrow('no such language');
    await contexts.open('x:', 'fr', SHOP);
    await contexts.close();
    expect(own.done.filter((text) => text.startsWith('close'))).toEqual(['close en', 'close fr']);
  });
});

describe('a page in the browser', () => {
  it('has answers of the kit only at the addresses of the shop', async () => {
    const own = aBrowser();
    await open(own);
    expect(own.done).toContain('answers text/html,text/html,text/html,none');
  });

  it('has left for the shop when its own frame navigates there', async () => {
    const own = aBrowser();
    const { left } = await open(own);
    own.request(SHOP[0]!, false);
    own.request(SHOP[0]!, true, {});
    own.request('https://verify.example/next');
    expect(left).toEqual([]);
    own.request(`${SHOP[0]}?status=failed`);
    own.request(SHOP[1]!);
    expect(left).toEqual([`${SHOP[0]}?status=failed`, SHOP[1]]);
  });

  it.each<[ResponseLike | null, status: number, contentType: string]>([
    [null, 0, 'none'],
    [{ status: () => 404, headers: () => ({}) }, 404, 'none'],
    [{ status: () => 200, headers: () => ({ 'content-type': 'text/html' }) }, 200, 'text/html'],
  ])('has the status and the type of its response (%#)', async (response, status, contentType) => {
    const page = await open(aBrowser({ goto: async () => response }));
    expect(page).toMatchObject({ status, contentType });
  });

  it('is closed without its context', async () => {
    const own = aBrowser();
    const page = await open(own);
    await page.close();
    expect(own.done.filter((text) => text.startsWith('close'))).toEqual(['close page']);
  });

  it.each([
    ['Execution context was destroyed, most likely because of a navigation', true],
    ['page.evaluate: Target navigation interrupted', true],
    ['page.evaluate: Target crashed', false],
  ])('has no language and no camera after the error "%s": %s', async (error, isExpected) => {
    const page = await open(aBrowser({ evaluate: () => Promise.reject(new Error(error)) }));
    const reading = Promise.all([page.language(), page.cameraRequests()]);
    if (isExpected) expect(await reading).toEqual(['', 0]);
    else await expect(reading).rejects.toThrow(error);
  });

  it('reads the language and the requests for the camera', async () => {
    const page = await open(
      aBrowser({ evaluate: async (text) => (text === 'document.documentElement.lang' ? 'de' : 3) }),
    );
    expect([await page.language(), await page.cameraRequests()]).toEqual(['de', 3]);
  });

  it.each([
    ['moves its timers', true],
    ['leaves its timers alone', false],
  ])('is waited for until the condition holds, and %s', async (_, hasClock) => {
    const own = aBrowser();
    const page = await open(own, hasClock, 60_000);
    expect(await page.waitUntil(() => true)).toBe(true);
    expect(own.done).not.toContain('move clock');
    let asked = 0;
    const isThirdTime = async (): Promise<boolean> => {
      asked += 1;
      return asked === 3;
    };
    expect(await page.waitUntil(isThirdTime)).toBe(true);
    expect(own.done.filter((text) => text === 'move clock')).toHaveLength(hasClock ? 2 : 0);
  });

  it('is no longer waited for once the patience has ended', async () => {
    const page = await open(aBrowser(), false, 1);
    expect(await page.waitUntil(() => false)).toBe(false);
  });
});
