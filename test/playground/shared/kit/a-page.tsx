import { type ComponentChild, render } from 'preact';
import { act } from 'preact/test-utils';

/** A page that shows one component. */
export interface KitPage {
  /** Returns the first element that matches, which must exist. */
  get<T extends HTMLElement = HTMLElement>(css: string): T;
  has(css: string): boolean;
  /** Replaces the component. */
  show(child: ComponentChild): Promise<void>;
  /** Runs `work` like an event handler and waits until the page has rendered. */
  act(work: () => unknown): Promise<void>;
}

/** Renders a component as the only content of the document. */
export async function showPage(child: ComponentChild): Promise<KitPage> {
  render(null, document.body);
  const page: KitPage = {
    get(css) {
      const found = document.body.querySelector<never>(css);
      if (!found) throw new Error(`Nothing matches ${css} in ${document.body.innerHTML}`);
      return found;
    },
    has: (css) => document.body.querySelector(css) !== null,
    show: (other) => page.act(() => render(other, document.body)),
    act: (work) => act(async () => void (await work())),
  };
  await page.show(child);
  return page;
}

/** An asynchronous action that the test settles, with the number of its calls. */
export interface Action {
  readonly calls: number;
  run(): Promise<void>;
  finish(): void;
  fail(error: Error): void;
}

export function createAction(): Action {
  let calls = 0;
  let settle: { resolve(): void; reject(error: Error): void } | undefined;
  return {
    get calls() {
      return calls;
    },
    run() {
      calls += 1;
      return new Promise((resolve, reject) => (settle = { resolve, reject }));
    },
    finish: () => settle?.resolve(),
    fail: (error) => settle?.reject(error),
  };
}
