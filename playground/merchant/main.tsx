/**
 * The demo shop. Its query string sets options, for example `?mode=redirect|popup|tab|server`,
 * `language=de`, `skipIntro`, `autoReturn`, `cancelUrl`, `stayOnCancel` (each `=true`). They are stored for
 * the tab. options.ts has the full list.
 *
 * The data-testid values:
 * verify-age             the button (also #verify-age); disabled until the shop is ready
 * gate[data-open]        "true" once the server gave access
 * notice[data-kind]      the gate's message: closed, waiting, leaving, unfinished, asking, open, failed,
 *                        cancelled, expired, blocked, error
 * verify-here            the check in this tab, offered after a blocked window
 * buy (one for each product), basket[data-count], basket-empty, line, total, checkout, refused, refusal,
 * order-error, verify-from-basket, confirmation[data-order], order-number, tasks-done,
 * to-basket, to-shelf
 * mode-redirect, mode-popup, mode-tab, mode-server, api-key, return-url, cancel-url, cancel-address,
 * language, environment, on-complete, on-cancel, stay-on-cancel, on-error, sets-policy, sends-customer,
 * skip-intro, auto-return, call-language, reset-options
 *                        the integration options
 * refused-options[data-code], advice, target-mock, target-production, snippet, snippet-script, snippet-npm, snippet-typescript,
 * snippet-react, snippet-return, snippet-server
 * hint[data-status]      the SDK's state: none, waiting, leaving, verified, failed, cancelled, error
 * callback               one for each call of a callback
 * access[data-access]    the server's stored access
 * decision[data-access][data-problem]  the server's decision on the last session
 * webhook[data-event][data-session][data-duplicate]  one for each webhook, newest first
 * refused-webhook[data-event]  one for each event that the shop's server rejected, in the same list
 * task-ID[data-done], unfold-ID, start-ID (purchase, failed, cancelled, expired, paused, redelivered), coach,
 * news-ID, dashboard-ID, progress, accept-webhooks, start-over
 * customer, forget-access, what-happened, try-this
 */
import { signal } from '@preact/signals';
import { render } from 'preact';
import '../shared/base.css';
import './shop.css';
import { formatError } from '../shared/kit/format-error.ts';
import { openProvider } from '../shared/provider.ts';
import { createShopApi } from '../shared/shop-api.ts';
import { followServer } from './follow-server.ts';
import { followPolicy } from './check-policy.ts';
import { type Shop, createShop } from './shop.ts';
import { tracePage, tracedSdk, tracedShopApi } from './traced-sdk.ts';
import { App, type Backstage, type Explanations } from './views/app.tsx';

tracePage('Shop');
const shop = createShop(tracedShopApi(createShopApi()));
const root = document.getElementById('app');
const backstage = signal<Backstage | null>(null);
const explanations = signal<Explanations | null>(null);
if (root) render(<App shop={shop} backstage={backstage} explanations={explanations} />, root);
void start();

async function start(): Promise<void> {
  showCancelledAddress(shop);
  const provider = await openProvider().catch((error: unknown) => {
    shop.outage.value = formatError(error);
    return null;
  });
  if (provider) {
    const { firstRead } = followServer(shop, provider.live);
    backstage.value = { provider, policy: followPolicy(shop.api, provider).policy };
    await firstRead;
  }
  // Loaded last, because the explanations are large and no check needs them.
  const { createGuide, ...views } = await import('./explanations.tsx');
  explanations.value = { ...views, guide: provider && createGuide(shop, provider) };
}

/**
 * Shows a cancelled check if the URL reports one, because this page is also the default cancelUrl. The URL
 * is only a hint, like the SDK's result.
 */
function showCancelledAddress({ hint }: Shop): void {
  if (!window.OfAge || !new URLSearchParams(location.search).has('sessionId')) return;
  const returned = tracedSdk().handleReturn();
  if (returned?.status !== 'cancelled') return;
  const { status, sessionId } = returned;
  hint.value = { status, sessionId, detail: returned, from: 'cancelUrl' };
}
