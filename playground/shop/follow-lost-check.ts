import { effect, untracked } from '@preact/signals';
import { SESSION_LIFETIME_MS } from '../shared/session-lifetime.ts';
import type { Shop } from './state.ts';

/**
 * Asks the server about the customer's latest check if this page has no result of the SDK: after a reload,
 * after the Back button, or in another tab. Asks again after each webhook about the check. Does not ask
 * about a check whose lifetime is over, because its `session.started` event may be redelivered days later.
 * @param now Returns the time of the service's clock, null while it is unknown
 * @returns a function that stops asking
 */
export function followLostCheck(shop: Shop, now: () => number | null): () => void {
  let asked = '';
  const ask = async (sessionId: string): Promise<void> => {
    const wasOpen = shop.decision.peek()?.validation?.status === 'pending';
    const customerNo = shop.customerNo.peek();
    const decision = await shop.api.verification(sessionId);
    // The shopper has started a new check in the meantime, or another customer has signed in.
    if (shop.hint.peek() || shop.customerNo.peek() !== customerNo) return;
    // A cancellation is shown only if the page has shown the check as open.
    const isShown = decision.validation?.status !== 'cancelled' || wasOpen;
    if (isShown) shop.decision.value = decision;
    if (decision.access) shop.access.value = await shop.api.access();
  };
  const stop = effect(() => {
    const access = shop.access.value;
    if (!access?.latestSessionId || access.access || shop.hint.value) return;
    const nowMs = now();
    if (nowMs === null) return;
    const { latestSessionId: sessionId, webhooks } = access;
    const own = webhooks.filter((webhook) => webhook.sessionId === sessionId);
    const [newest] = own;
    const startedAt = own.find(({ event }) => event === 'session.started')?.happenedAt;
    if (startedAt && nowMs >= Date.parse(startedAt) + SESSION_LIFETIME_MS) return;
    const question = `${sessionId} ${newest?.receivedAt}`;
    if (question === asked) return;
    asked = question;
    // If the request fails, the next read of the access sends it again.
    untracked(() => void ask(sessionId).catch(() => (asked = '')));
  });
  // Clears the hint of server mode after the Back button. age-check.ts clears the SDK's hint.
  const onShow = ({ persisted }: PageTransitionEvent): void => {
    if (persisted && shop.hint.peek()?.status === 'leaving') shop.hint.value = null;
  };
  globalThis.addEventListener('pageshow', onShow);
  return () => {
    stop();
    globalThis.removeEventListener('pageshow', onShow);
  };
}
