import { type ReadonlySignal, signal } from '@preact/signals';
import type { ReceiverSettings } from '../server/plan.ts';
import { createOrder } from '../../shared/in-order.ts';
import type { Live } from '../../shared/live.ts';
import type { Receiver, ShopLab } from '../shop-lab.ts';

/** The receiver as shown on the page, including settings that are still being saved. */
export interface ReceiverStore {
  readonly receiver: ReadonlySignal<Receiver | null>;
  /** The error message of the last read. Empty if it succeeded. */
  readonly loadError: { readonly value: string };
  /** Reads the receiver again. Resolves when this read has ended, even if it failed. */
  refresh(): Promise<void>;
  /** Shows the change at once, and saves it. Rejects if it cannot be saved. */
  set(change: Partial<ReceiverSettings>): Promise<void>;
  /** Resolves when every earlier change has been saved or refused. */
  saved(): Promise<void>;
  close(): void;
}

/**
 * The polling interval. The live stream does not carry the receiver's changes, because the receiver belongs
 * to the shop.
 */
const REFRESH_MS = 2_000;

export function createReceiverStore(
  live: Pick<Live, 'open'>,
  shop: Pick<ShopLab, 'receiver' | 'setReceiver'>,
): ReceiverStore {
  const receiver = signal<Receiver | null>(null);
  const inOrder = createOrder();
  const saved = (): Promise<void> => inOrder(async () => {});
  let changes = 0;

  const { error, reload, close } = live.open({
    key: 'receiver',
    topics: ['delivery'],
    everyMs: REFRESH_MS,
    async read() {
      const known = changes;
      await saved();
      const loaded = await shop.receiver();
      // Keeps settings that were changed during the read, because the loaded ones may be older.
      const changed = changes > known && receiver.peek();
      receiver.value = changed ? { ...loaded, settings: changed.settings } : loaded;
    },
  });
  return {
    receiver,
    loadError: error,
    refresh: reload,
    saved,
    close,
    async set(change) {
      const before = receiver.peek();
      if (!before) return;
      const settings = { ...before.settings, ...change };
      receiver.value = { ...before, settings };
      changes += 1;
      try {
        await inOrder(() => shop.setReceiver(settings));
      } finally {
        await reload();
      }
    },
  };
}
