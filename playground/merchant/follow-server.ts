import { effect } from '@preact/signals';
import type { Live } from '../shared/live.ts';
import type { Shop } from './shop.ts';

/** Another tab may change the customer or forget the access, which the live stream does not carry. */
const REFRESH_MS = 2_000;

/** Keeps the page up to date with what the shop's server knows of the customer. @returns how to stop */
export function followServer(shop: Shop, live: Pick<Live, 'openQuery'>): () => void {
  const { query, close } = live.openQuery({
    // A webhook that has been delivered, and a session that was validated, may give access.
    topics: ['session', 'delivery'],
    everyMs: REFRESH_MS,
    async read() {
      const before = shop.access.peek();
      const access = await shop.api.access();
      // What a click has changed since is newer.
      if (shop.access.peek() === before) shop.access.value = access;
      shop.publishableKey.value ??= (await shop.api.config()).publishableKey;
    },
  });
  const stop = effect(() => {
    shop.outage.value = query.trouble.value || null;
  });
  return () => {
    stop();
    close();
  };
}
