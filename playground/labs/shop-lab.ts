import type { ReceiverSettings, ReceiverState } from '../merchant-backend/lab-plan.ts';
import { siteUrl } from '../shared/site.ts';

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
    receiver: async () => (await ask('GET', 'lab/receiver/state')) as Receiver,
    setReceiver: async (settings) =>
      (await ask('PUT', 'lab/receiver/settings', settings)) as Receiver,
    forgetRequests: async () => void (await ask('DELETE', 'lab/receiver/requests')),
    publishableKey: async () =>
      ((await ask('GET', 'config')) as { publishableKey: string }).publishableKey,
  };
}

async function ask(method: string, path: string, body?: object): Promise<unknown> {
  const response = await fetch(siteUrl(`shop/${path}`), {
    method,
    cache: 'no-store',
    ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  }).catch((cause: unknown) => {
    throw new Error('The demo shop’s server cannot be reached', { cause });
  });
  if (response.status === 204) return null;
  const answer: unknown = await response.json().catch(() => null);
  if (response.ok) return answer;
  const { message }: { message?: unknown } = Object(answer);
  throw new Error(String(message ?? `The demo shop’s server answered ${response.status}`));
}
