import type { BrowserLike, ContextLike } from './browser-like.ts';
import { COUNT_CAMERA_REQUESTS, openPage, type OpenPage, type PageTiming } from './open-page.ts';

/** The contexts of the browser, one for each language. */
export interface Contexts {
  /**
   * @param locale The language of the browser
   * @param shopUrls The addresses, without a query, at which the kit answers instead of the shop
   */
  open(url: string, locale: string, shopUrls: readonly string[]): Promise<OpenPage>;
  close(): Promise<void>;
}

export function createContexts(browser: BrowserLike, timing: PageTiming): Contexts {
  const contexts = new Map<string, Promise<ContextLike>>();
  async function createContext(locale: string): Promise<ContextLike> {
    const context = await browser.newContext({ locale });
    await context.addInitScript({ content: COUNT_CAMERA_REQUESTS });
    if (timing.hasClock) await context.clock.install();
    return context;
  }
  return {
    async open(url, locale, shopUrls) {
      const context = contexts.get(locale) ?? createContext(locale);
      contexts.set(locale, context);
      // The next page tries again.
      context.catch(() => contexts.delete(locale));
      return openPage(await context, url, shopUrls, timing);
    },
    async close() {
      for (const opened of await Promise.allSettled(contexts.values()))
        if (opened.status === 'fulfilled') await opened.value.close();
    },
  };
}
