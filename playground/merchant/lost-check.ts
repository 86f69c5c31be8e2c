import { effect, untracked } from '@preact/signals';
import type { Shop } from './shop.ts';

/**
 * Asks the server about the customer's latest check if this page has no result of the SDK: after a reload,
 * after the Back button, or in another tab. Asks again after each webhook about the check.
 * @returns a function that stops asking
 */
export function followLostCheck(shop: Shop): () => void {
  let asked = '';
  const ask = async (sessionId: string): Promise<void> => {
    const wasOpen = shop.decision.peek()?.validation?.status === 'pending';
    const decision = await shop.api.verification(sessionId);
    // The shopper has started a new check in the meantime.
    if (shop.hint.peek()) return;
    // A cancellation is shown only if the page has shown the check as open.
    const isShown = decision.validation?.status !== 'cancelled' || wasOpen;
    if (isShown) shop.decision.value = decision;
    if (decision.access) shop.access.value = await shop.api.access();
  };
  const stop = effect(() => {
    const access = shop.access.value;
    if (!access?.latestSessionId || access.access || shop.hint.value) return;
    const { latestSessionId: sessionId, webhooks } = access;
    const newest = webhooks.find((webhook) => webhook.sessionId === sessionId);
    const question = `${sessionId} ${newest?.receivedAt}`;
    if (question === asked) return;
    asked = question;
    // If the request fails, the next read of the access sends it again.
    untracked(() => void ask(sessionId).catch(() => (asked = '')));
  });
  // Clears the hint of server mode, which no other code clears. For the SDK's hint, see verify-age.ts.
  const onShow = ({ persisted }: PageTransitionEvent): void => {
    if (persisted && shop.hint.peek()?.status === 'leaving') shop.hint.value = null;
  };
  globalThis.addEventListener('pageshow', onShow);
  return () => {
    stop();
    globalThis.removeEventListener('pageshow', onShow);
  };
}
