/** The states of all pages, in shares for one test each. */
import type { Page } from '@playwright/test';
import { consoleStates } from './console-states.ts';
import { hostedStates } from './hosted-states.ts';
import { labsStates } from './labs-states.ts';
import type { Provider } from './provider.ts';
import { shopStates } from './shop-states.ts';

export interface State {
  readonly name: string;
  reach(page: Page, provider: Provider, query?: string): Promise<void>;
}

export const PAGES = {
  shop: shopStates,
  'hosted page': hostedStates,
  console: consoleStates,
  labs: labsStates,
} satisfies Record<string, readonly State[]>;

export type PageName = keyof typeof PAGES;

export interface Share {
  readonly of: PageName;
  readonly states: readonly State[];
  /** The names of the first and the last state. */
  readonly names: string;
}

// A few states per test. Each state takes a second or two, and the tests run in parallel.
const SHARE = 8;

export const SHARES: readonly Share[] = Object.entries(PAGES).flatMap(([of, all]) =>
  toShares(of as PageName, all),
);

function toShares(of: PageName, all: readonly State[]): Share[] {
  const shares: Share[] = [];
  for (let from = 0; from < all.length; from += SHARE) {
    const states = all.slice(from, from + SHARE);
    shares.push({ of, states, names: `"${states[0]?.name}" to "${states.at(-1)?.name}"` });
  }
  return shares;
}
