/** The actions that scenarios need, so that they run with Playwright and with plain WebDriver. */
import { expect, type Page } from '@playwright/test';

export interface Tab {
  goto(url: string): Promise<void>;
  url(): Promise<string>;
  back(): Promise<void>;
  click(css: string): Promise<void>;
  /** Clicks an element whose handler closes this tab. */
  clickToClose(css: string): Promise<void>;
  type(css: string, text: string): Promise<void>;
  text(css: string): Promise<string>;
  /** Runs a function in the page. It must not use variables of its scope. */
  run<R, A = undefined>(fn: (arg: A) => R | Promise<R>, arg?: A): Promise<R>;
  /** Returns the same actions for a frame of the page. */
  frame(css: string): Promise<Pick<Tab, 'click' | 'text' | 'run'>>;
  /** Runs the action and returns the window that it opened. */
  popup(action: () => Promise<void>): Promise<Tab>;
  /** Opens a second tab with the same profile. */
  sibling(): Promise<Tab>;
  close(): Promise<void>;
  isClosed(): Promise<boolean>;
  screenshot(): Promise<Buffer>;
}

const CLOSED = /has been closed/;

export const playwrightTab = (page: Page): Tab => ({
  goto: async (url) => {
    await page.goto(url);
  },
  url: async () => page.url(),
  back: async () => {
    // goBack() waits for a load event that Firefox never fires for a page from its cache.
    await page.evaluate(() => void setTimeout(() => history.back(), 0));
  },
  // Does not wait for a navigation, because some tests need one that never completes.
  click: (css) => page.click(css, { noWaitAfter: true }),
  clickToClose: async (css) => {
    // Firefox reports the click as failed when its handler closes the page, although it happened.
    const click = page.click(css, { noWaitAfter: true }).catch((error: unknown) => {
      if (!CLOSED.test(String(error))) throw error;
    });
    await Promise.all([page.waitForEvent('close'), click]);
  },
  type: (css, text) => page.locator(css).pressSequentially(text),
  text: (css) => page.locator(css).innerText(),
  run: (fn, arg) => page.evaluate(fn as never, arg as never),
  frame: async (css) => {
    const frame = await (await page.waitForSelector(css)).contentFrame();
    if (!frame) throw new Error(`"${css}" is not a frame`);
    return {
      click: (inner) => frame.click(inner),
      text: (inner) => frame.locator(inner).innerText(),
      run: (fn, arg) => frame.evaluate(fn as never, arg as never),
    };
  },
  popup: async (action) => {
    // Waits on the context, because Firefox does not report windows opened by frames to the page.
    const [popup] = await Promise.all([page.context().waitForEvent('page'), action()]);
    return playwrightTab(popup);
  },
  sibling: async () => playwrightTab(await page.context().newPage()),
  close: () => page.close(),
  isClosed: async () => page.isClosed(),
  screenshot: () => page.screenshot(),
});

/** Polls until the assertion holds. */
export const eventually = {
  url: (tab: Tab) => expect.poll(() => tab.url()),
  text: (tab: Tab, css: string) => expect.poll(() => tab.text(css).catch(String)),
  closed: (tab: Tab) => expect.poll(() => tab.isClosed()),
  run: <R>(tab: Tab, fn: () => R) => expect.poll(() => tab.run(fn).catch(String)),
};
