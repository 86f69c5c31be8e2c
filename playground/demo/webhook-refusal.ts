import { askShop } from '../shared/ask-shop.ts';

/** Tells whether the demo backend refuses the shop's webhooks, which visitors can switch. */
export const readRefusal = async (): Promise<{ readonly refuses: boolean }> =>
  (await askShop('GET', 'receiver')) as { refuses: boolean };

export async function setRefusal(refuses: boolean): Promise<void> {
  await askShop('PUT', 'receiver', { body: { refuses } });
}
