import type { Shop, ShopOptions } from './a-shop.ts';

/** An integration, usually with a mistake, and all findings that the doctor reports for it. */
export interface Case {
  mistake: string;
  why: string;
  options?: ShopOptions;
  run: (shop: Shop) => Promise<unknown>;
  /** The findings, each as `code severity`. */
  finds: readonly string[];
}

/** Returns the id of the session's latest event. */
export const eventOf = async ({ my }: Shop, sessionId: string): Promise<string> =>
  (await my.service.control.events({ sessionId })).at(-1)!.id;
