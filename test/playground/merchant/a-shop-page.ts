import { afterEach, beforeEach, vi } from 'vitest';
import { createProvider } from '../../../playground/shared/provider.ts';
import { openLab } from '../labs/a-lab.ts';
import { aStorage } from '../shared/a-storage.ts';

const SHOP = 'http://localhost/';
const page = { documentElement: { dataset: {} }, baseURI: SHOP, visibilityState: 'visible' };
vi.stubGlobal('document', Object.assign(new EventTarget(), page));
vi.stubGlobal('location', { search: '' });
const events = new EventTarget();
vi.stubGlobal('addEventListener', events.addEventListener.bind(events));
vi.stubGlobal('removeEventListener', events.removeEventListener.bind(events));
const { createShopApi } = await import('../../../playground/shared/shop-api.ts');
const { createShop } = await import('../../../playground/merchant/shop.ts');
const { createGuide } = await import('../../../playground/merchant/guide.ts');
const { followServer } = await import('../../../playground/merchant/follow-server.ts');

/** Opens the shop's page with its guide, on a real mock service and the real shop server. */
async function openShopPage() {
  aStorage();
  const kept = new Map<string, string>();
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  });
  const lab = await openLab();
  vi.stubGlobal('fetch', async (url: string, init?: RequestInit) =>
    lab.backend.fetch(new Request(url, init)),
  );
  const provider = createProvider(lab.service);
  const load = async () => {
    const shop = createShop(createShopApi());
    const following = followServer(shop, provider.live);
    const guide = createGuide(shop, provider);
    await vi.waitFor(() => {
      if (shop.access.value === null) throw new Error('The page has not read the access yet');
    });
    return {
      shop,
      guide,
      close() {
        guide.close();
        following.close();
      },
    };
  };
  let current = await load();
  return {
    ...lab,
    get shop() {
      return current.shop;
    },
    get guide() {
      return current.guide;
    },
    /** Starts a verification through the shop's server. @returns the session's id and token */
    async check() {
      const { sessionId, verifyUrl } = await current.shop.api.checkout({
        returnUrl: `${SHOP}return/`,
      });
      return { sessionId, token: new URL(verifyUrl).searchParams.get('sessionToken') ?? '' };
    },
    /** Reloads the page with its stored data. */
    async reload() {
      current.close();
      current = await load();
    },
    /** Restores the page from the back/forward cache. */
    showAgain() {
      events.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true }));
    },
    async close() {
      current.close();
      await lab.service.close();
    },
  };
}

export type ShopPage = Awaited<ReturnType<typeof openShopPage>>;

/** Opens the shop's page before each test of a file, passes it to `use`, and closes it afterwards. */
export function useShopPage(use: (page: ShopPage) => void): void {
  let page: ShopPage;
  beforeEach(async () => {
    vi.spyOn(console, 'debug').mockImplementation(() => undefined);
    page = await openShopPage();
    use(page);
  });
  afterEach(async () => {
    await page.close();
    vi.restoreAllMocks();
  });
}
