import { effect } from '@preact/signals';
import type { Live } from '../shared/live.ts';
import { followLostCheck } from '../shop/follow-lost-check.ts';
import { type Shop, readAccess } from '../shop/state.ts';

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
export function followServer(shop: Shop, live: Pick<Live, 'open' | 'clock'>): Following {
  const { error, reload, close } = live.open({
    key: 'access',
    // A delivered webhook or a validated session may give access.
    topics: ['session', 'delivery'],
    everyMs: REFRESH_MS,
    read: () => readAccess(shop),
  });
  const stop = effect(() => {
    shop.outage.value = error.value || null;
  });
  const { reading, now } = live.clock;
  const stopAsking = followLostCheck(shop, () => (reading.value === null ? null : now()));
  return {
    firstRead: reload(),
    close() {
      stopAsking();
      stop();
      close();
    },
  };
}
