import type { ReportFacts, ReportKind } from 'ofage-mock';
import { aReport, sendReports } from '../../support/reports.ts';
import { buy, type Case, DEAF, MINUTE, SECOND, type Shop } from './a-shop.ts';

/** Reports what a page of the shop did. */
export async function report(
  { my, publishableKey }: Shop,
  kind: ReportKind,
  facts: ReportFacts,
  about: { readonly attemptId?: string; readonly sessionId?: string } = {},
): Promise<void> {
  await sendReports(my, { key: publishableKey, reports: [aReport(kind, { facts, ...about })] });
}

const NEW_TAB = { mode: 'new-tab' };

/** Reports a call of `verify()` whose window the browser blocks or opens. */
export async function reportCall(
  shop: Shop,
  facts: ReportFacts,
  isOpen: boolean | null = null,
): Promise<void> {
  const attempt = { attemptId: crypto.randomUUID() };
  await report(shop, 'verify.called', facts, attempt);
  if (isOpen !== null) await report(shop, 'window.opened', { isOpen }, attempt);
}

/** Reports that the return page read the status of a session that has no result. */
export async function reportForgedReturn(shop: Shop): Promise<string> {
  const sessionId = await shop.create();
  await report(shop, 'return.read', { status: 'verified' }, { sessionId });
  return sessionId;
}

/** What the pages of a shop do with the SDK. */
export const PAGE_CASES: readonly Case[] = [
  ...(
    [
      [{ isInClick: false, isPageUsed: false }, false, 'verify_on_load problem'],
      [{ isInClick: false, isPageUsed: false }, true, 'verify_on_load warning'],
      [{ isInClick: false, isPageUsed: true }, false, 'verify_outside_click problem'],
      [{ isInClick: false, isPageUsed: true }, true, 'verify_outside_click warning'],
      [{ isInClick: true, isPageUsed: true }, true, 'all_well ok'],
      // The browser has a blocker of its own.
      [{ isInClick: true, isPageUsed: true }, false, 'all_well ok'],
      // The browser does not tell.
      [{}, false, 'all_well ok'],
    ] as const
  ).map(([moment, isOpen, finding]) => ({
    mistake: `verify() for a window, ${JSON.stringify(moment)}, isOpen: ${isOpen}`,
    why: 'a browser opens a window only in a click',
    run: (shop: Shop) => reportCall(shop, { ...NEW_TAB, ...moment }, isOpen),
    finds: [finding],
    says: finding.startsWith('verify') ? /Pages: http:\/\/localhost:3000\/shop\./ : /./,
  })),
  {
    mistake: 'verify() for a redirect while the page loads',
    why: 'Back leads to the same page, which redirects again',
    run: (shop) => reportCall(shop, { mode: 'redirect', isInClick: false, isPageUsed: false }),
    finds: ['verify_on_load warning'],
  },
  {
    mistake: 'no mistake: verify() for a redirect after a request',
    why: 'a redirect needs no click',
    run: (shop) => reportCall(shop, { mode: 'redirect', isInClick: false, isPageUsed: true }),
    finds: ['all_well ok'],
  },
  {
    mistake: 'no mistake: a lab calls verify() in a frame that nobody touched',
    why: 'the labs make mistakes on purpose',
    run: async (shop) => {
      const externalUserId = 'ofage_lab:frame';
      await buy(shop);
      await reportCall(shop, { ...NEW_TAB, isInClick: false, isPageUsed: false, externalUserId });
    },
    finds: ['all_well ok'],
  },
  ...(
    [
      [10 * SECOND, 'all_well ok'],
      [10 * SECOND + 1, 'forged_return_unasked problem'],
    ] as const
  ).map(([afterMs, finding]) => ({
    mistake: `a forged return, and no call to validate within ${afterMs} ms`,
    why: 'the return page may still be asking the server',
    async run(shop: Shop) {
      await reportForgedReturn(shop);
      await shop.advance(afterMs);
    },
    finds: [finding],
  })),
  {
    mistake: 'no mistake: a forged return, and validate says pending',
    why: 'the server found out',
    async run(shop) {
      await shop.validate(await reportForgedReturn(shop));
      await shop.advance(MINUTE);
    },
    finds: ['all_well ok'],
  },
  {
    mistake: 'no call to validate, and the page has the result',
    why: 'the page has probably given access',
    options: { endpoints: [DEAF] },
    async run(shop) {
      const sessionId = await shop.verify();
      await report(shop, 'verify.resolved', { status: 'verified' }, { sessionId });
      await shop.advance(MINUTE);
    },
    finds: ['result_never_asked problem'],
    says: /The page has already received the result of 1 session\./,
  },
  {
    mistake: 'no mistake: the page has the result, and the server has asked',
    why: 'the result of the server counts',
    async run(shop) {
      const sessionId = await buy(shop);
      await report(shop, 'verify.resolved', { status: 'verified' }, { sessionId });
      await report(shop, 'return.read', { status: 'verified' }, { sessionId });
      await shop.advance(MINUTE);
    },
    finds: ['all_well ok'],
  },
];
