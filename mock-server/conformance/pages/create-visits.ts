import { closeAll } from '../close-all.ts';
import { hideSecrets, type Call } from '../exchange.ts';
import { CheckFailure, CheckSkip } from '../outcome.ts';
import type { Setting } from '../setting.ts';
import type { World } from '../world.ts';
import type { OpenPage } from './open-page.ts';
import type { SharedVisit, VisitPlan } from './visit.ts';

/** A returnUrl that no session has. */
export const FORGED_URL = 'https://forged.example/';

/** The pages of one check. */
export interface Visits {
  openPage: World['openPage'];
  visit: World['visit'];
  close(): Promise<void>;
}

/** @param note Called with the request for a page, for the report of a failure */
export function createVisits(
  setting: Setting,
  world: Pick<World, 'account' | 'create' | 'validate' | 'settle' | 'now'>,
  note: (call: Call) => void,
): Visits {
  const pages: OpenPage[] = [];
  const { returnUrl } = world.account;
  const cancelUrl = new URL('/cancelled', returnUrl).href;

  async function openPage(url: string, locale = 'en'): Promise<OpenPage> {
    if (!setting.contexts) throw new CheckSkip(NO_BROWSER);
    note(toCall(url));
    const shopUrls = [returnUrl, cancelUrl, FORGED_URL];
    const page = await setting.contexts.open(url, locale, shopUrls);
    pages.push(page);
    return page;
  }

  async function begin(plan: VisitPlan): Promise<SharedVisit> {
    const { status, parameters, fields, query, hasCancelUrl } = plan;
    const urls = {
      returnUrl: appendQuery(returnUrl, query),
      cancelUrl: appendQuery(cancelUrl, query),
    };
    const session = await world.create({
      returnUrl: urls.returnUrl,
      ...(hasCancelUrl && { cancelUrl: urls.cancelUrl }),
      ...fields,
    });
    const pageUrl = appendQuery(appendQuery(session.verifyUrl, 'skip_intro=true'), parameters);
    const page = await openPage(pageUrl);
    // A page that opens after the result does not have to go back to the shop. A page that asks for the
    // camera has read the session while it was pending.
    await page.waitUntil(async () => (await page.cameraRequests()) > 0);
    await world.settle({ ...session, verifyUrl: pageUrl }, status);
    const settledAtMs = await world.now();
    await page.waitUntil(() => page.left.length > 0);
    const [address] = page.left;
    if (address === undefined) {
      const answered = `it is still at ${hideSecrets(page.address())}`;
      throw new CheckFailure('the page to go back to the shop', answered, 'the page stays');
    }
    return { session, keys: world.account, pageUrl, ...urls, address, settledAtMs };
  }

  return {
    openPage,
    async visit(plan) {
      const begun = setting.visits.get(plan) ?? begin(plan);
      setting.visits.set(plan, begun);
      const visit = await begun;
      note(toCall(visit.pageUrl));
      const { session, keys } = visit;
      // Another check may have begun the visit. The request belongs to the report of this one.
      return { ...visit, validate: () => world.validate(session.sessionId, keys.secretKey) };
    },
    async close() {
      await closeAll(pages.map((page) => page.close));
    },
  };
}

/** The reason why checks of pages are skipped. */
export const NO_BROWSER = 'needs a Playwright browser (browser)';

const toCall = (path: string): Call => ({ method: 'GET', path, headers: {} });

/** Appends to the query of a URL, and leaves the existing text unchanged. */
export function appendQuery(url: string, query: string | undefined): string {
  if (query === undefined) return url;
  // The query ends where the fragment begins.
  return url.replace(/^[^#]*/, (head) => `${head}${head.includes('?') ? '&' : '?'}${query}`);
}
