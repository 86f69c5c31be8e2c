import type { ReceiverSettings, ReceiverState } from '../merchant-backend/lab-plan.ts';
import { askShop } from '../shared/ask-shop.ts';

/** The receiver as its routes tell of it. */
export type Receiver = ReceiverState & { readonly url: string };

/** The lab's routes of the demo shop's server. */
export interface ShopLab {
  receiver(): Promise<Receiver>;
  setReceiver(settings: ReceiverSettings): Promise<Receiver>;
  forgetRequests(): Promise<void>;
  publishableKey(): Promise<string>;
}

export function createShopLab(): ShopLab {
  // The pages and the shop's server are one application, so the answers are taken at their word.
  return {
    receiver: async () => (await askShop('GET', 'lab/receiver/state')) as Receiver,
    setReceiver: async (settings) =>
      (await askShop('PUT', 'lab/receiver/settings', { body: settings })) as Receiver,
    forgetRequests: async () => void (await askShop('DELETE', 'lab/receiver/requests')),
    publishableKey: async () =>
      ((await askShop('GET', 'config')) as { publishableKey: string }).publishableKey,
  };
}
