import { effect, untracked } from '@preact/signals';
import type { Live } from '../shared/live.ts';
import { SESSION_LIFETIME_MS } from '../shared/session-lifetime.ts';
import type { Shop } from './state.ts';

/**
 * The interval of additional reads. Another tab may switch the customer or delete the access, and the live
 * stream does not report either.
 */
const REFRESH_MS = 2_000;

/** The updates of a page, which continue until they are closed. */
export interface Following {
  /** Resolves after the first read of the state, even if it failed. */
  readonly firstRead: Promise<void>;
  close(): void;
}

/** Keeps the page up to date with the shop server's state of the customer. */
export function followServer(shop: Shop, live: Pick<Live, 'open' | 'clock'>): Following {
  const { error, reload, close } = live.open({
    key: 'access',
    // A delivered webhook or a validated session may give access.
    topics: ['session', 'delivery'],
    everyMs: REFRESH_MS,
    async read() {
      const before = shop.access.peek();
      const access = await shop.api.access();
      // If an action changed the access during the read, this response is stale.
      if (shop.access.peek() === before) shop.access.value = access;
      shop.publishableKey.value ??= (await shop.api.config()).publishableKey;
    },
  });
  const stop = effect(() => {
    shop.outage.value = error.value || null;
  });
  const stopAsking = followLostCheck(shop, live.clock);
  return {
    firstRead: reload(),
    close() {
      stopAsking();
      stop();
      close();
    },
  };
}

/**
 * Asks the server about the customer's latest check if this page has no result of the SDK: after a reload,
 * after the Back button, or in another tab. Asks again after each webhook about the check. Does not ask
 * about a check whose lifetime is over, because its `session.started` event may be redelivered days later.
 * @returns a function that stops asking
 */
function followLostCheck(shop: Shop, clock: Live['clock']): () => void {
  let asked = '';
  const ask = async (sessionId: string): Promise<void> => {
    const wasOpen = shop.decision.peek()?.validation?.status === 'pending';
    const round = shop.round.peek();
    const decision = await shop.api.verification(sessionId);
    // The shopper has started a new check in the meantime, or another customer has signed in.
    if (shop.hint.peek() || shop.round.peek() !== round) return;
    // A cancellation is shown only if the page has shown the check as open.
    const isShown = decision.validation?.status !== 'cancelled' || wasOpen;
    if (isShown) shop.decision.value = decision;
    if (decision.access) shop.access.value = await shop.api.access();
  };
  const stop = effect(() => {
    const access = shop.access.value;
    if (!access?.latestSessionId || access.access || shop.hint.value) return;
    if (clock.reading.value === null) return;
    const { latestSessionId: sessionId, webhooks } = access;
    const own = webhooks.filter((webhook) => webhook.sessionId === sessionId);
    const [newest] = own;
    const startedAt = own.find(({ event }) => event === 'session.started')?.happenedAt;
    if (startedAt && clock.now() >= Date.parse(startedAt) + SESSION_LIFETIME_MS) return;
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
