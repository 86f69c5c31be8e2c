import { effect } from '@preact/signals';
import type { Live } from '../shared/live.ts';
import { followLostCheck } from './lost-check.ts';
import type { Shop } from './shop.ts';

/**
 * The interval of additional reads. Another tab may switch the customer or delete the access, and the live
 * stream does not report either.
 */
const REFRESH_MS = 2_000;

/** The updates of a page, which continue until they are closed. */
export interface Following {
  /** Resolves after the first read of the state, even if it failed. */
  readonly firstRead: Promise<void>;
  close(): void;
}

/** Keeps the page up to date with the shop server's state of the customer. */
export function followServer(shop: Shop, live: Pick<Live, 'openQuery' | 'clock'>): Following {
  const { query, close } = live.openQuery({
    // A delivered webhook or a validated session may give access.
    topics: ['session', 'delivery'],
    everyMs: REFRESH_MS,
    async read() {
      const before = shop.access.peek();
      const access = await shop.api.access();
      // If an action changed the access during the read, this response is stale.
      if (shop.access.peek() === before) shop.access.value = access;
      shop.publishableKey.value ??= (await shop.api.config()).publishableKey;
    },
  });
  const stop = effect(() => {
    shop.outage.value = query.error.value || null;
  });
  const stopAsking = followLostCheck(shop, live.clock);
  return {
    firstRead: query.reload(),
    close() {
      stopAsking();
      stop();
      close();
    },
  };
}
