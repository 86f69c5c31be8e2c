import { askShop } from '../shared/ask-shop.ts';
import type { Answer } from './scenario-file.ts';

/** A webhook receiver that answers as it is told: the lab's, at the shop's server. */
export interface Receiver {
  /** Where the service reaches it. */
  readonly url: string;
  answer(how: Answer): Promise<void>;
  /** Takes it for a while, answering `ok`. @returns how to give it back as it was */
  borrow(): Promise<() => Promise<void>>;
}

/** How soon a receiver that is busy wants to be asked again, in seconds. */
const BUSY_S = 5;

/** @returns null when the shop's server does not run */
export async function findReceiver(): Promise<Receiver | null> {
  const state = await askShop('GET', 'lab/receiver/state').catch(() => null);
  const { url, settings }: { url?: unknown; settings?: object } = Object(state);
  if (typeof url !== 'string') return null;

  const put = async (wanted: object | undefined): Promise<void> =>
    void (await askShop('PUT', 'lab/receiver/settings', { body: wanted }));
  const answer = (behaviour: Answer): Promise<void> =>
    // Unchecked: the replay's account signs with a secret of its own.
    put({ behaviour, seconds: BUSY_S, remembersEvents: true, secret: null });
  return {
    url,
    answer,
    async borrow() {
      await answer('ok');
      return () => put(settings);
    },
  };
}
