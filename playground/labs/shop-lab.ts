import type { ReceiverSettings, ReceiverState } from '../demo-backend/lab-plan.ts';
import { askShop } from '../shared/ask-shop.ts';

/** The receiver's state, as its routes return it. */
export type Receiver = ReceiverState & { readonly url: string };

/** A client for the lab's routes of the demo shop's server. */
export interface ShopLab {
  receiver(): Promise<Receiver>;
  setReceiver(settings: ReceiverSettings): Promise<Receiver>;
  forgetRequests(): Promise<void>;
  publishableKey(): Promise<string>;
}

export function createShopLab(): ShopLab {
  // The responses are not checked, because the pages and the shop's server are built together.
  return {
    receiver: async () => (await askShop('GET', 'lab/receiver/state')) as Receiver,
    setReceiver: async (settings) =>
      (await askShop('PUT', 'lab/receiver/settings', { body: settings })) as Receiver,
    forgetRequests: async () => void (await askShop('DELETE', 'lab/receiver/requests')),
    publishableKey: async () =>
      ((await askShop('GET', 'config')) as { publishableKey: string }).publishableKey,
  };
}
