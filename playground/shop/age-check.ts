import type { OfAge } from 'ofage';
import { sdk } from '../shared/sdk.ts';
import { appendQuery } from '../shared/append-query.ts';
import { type Hint, toNextStep } from './next-step.ts';
import type { Integration } from './integration.ts';
import { type Shop, withServer } from './state.ts';

/**
 * Starts the check. Call it directly in the click handler and do not await anything
 * before `verify()`, because browsers open a window only while they handle a click.
 */
export function verifyAge(shop: Shop): void {
  const { hint, access, decision } = shop;
  // The SDK does not know that the check has expired and would show its old window again.
  if (toNextStep(hint.value, access.value, decision.value).kind === 'expired') abandonCheck();
  decision.value = null;
  shop.serverError.value = null;
  if (shop.integration.value.isOnServer) void startOnServer(shop);
  else startInBrowser(shop);
}

/** Starts the check in this tab, which needs no window. */
export function verifyInThisTab(shop: Shop): void {
  shop.isInThisTab.value = true;
  verifyAge(shop);
}

/**
 * Shows a cancelled check if the URL reports one, because this page is also the default cancelUrl. The URL
 * is only a hint, like the SDK's result.
 */
export function showCancelledAddress(shop: Shop): void {
  if (!new URLSearchParams(location.search).has('sessionId')) return;
  const returned = window.OfAge?.handleReturn(location.href);
  if (returned?.status !== 'cancelled') return;
  const { status, sessionId } = returned;
  shop.hint.value = { status, sessionId, detail: returned, from: 'cancelUrl' };
}

/**
 * The SDK instance of the current integration. It is reused, so that a second click during a check focuses its
 * window instead of opening another.
 */
let current: { readonly integration: Integration; readonly ofAge: OfAge } | null = null;

/** Closes the window of an obsolete check. */
function abandonCheck(): void {
  current?.ofAge.destroy();
  current = null;
}

function startInBrowser(shop: Shop): void {
  const integration = shop.integration.value;
  const { constructorOptions, verifyOptions } = integration;
  const lastWebhookAt = shop.access.value?.webhooks[0]?.receivedAt;
  const customerNo = shop.customerNo.value;
  const show = (hint: Hint): void => {
    if (shop.customerNo.peek() !== customerNo) return;
    shop.hint.value = lastWebhookAt === undefined ? hint : { ...hint, lastWebhookAt };
  };
  const isRedirect = constructorOptions.mode !== 'new-tab';
  show({ status: isRedirect ? 'leaving' : 'waiting', detail: null, from: 'verify()' });
  try {
    if (current?.integration !== integration) {
      abandonCheck();
      const OfAge = sdk();
      current = { integration, ofAge: new OfAge(constructorOptions) };
    }
    current.ofAge.verify(verifyOptions).then(
      (result) => {
        const { status, sessionId } = result;
        // A click with other options ended this check and has set its own hint.
        if (status === 'cancelled' && result.reason === 'destroyed') return;
        // The shopper may have passed the check before pressing Back, so followLostCheck() asks the server.
        if (status === 'cancelled' && result.reason === 'history_back') {
          shop.hint.value = null;
          return;
        }
        const from = 'verify() resolved';
        show({ status, detail: result, from, ...(sessionId ? { sessionId } : {}) });
        // `verified` is only the browser's claim. The server validates the session itself.
        if (sessionId && status !== 'cancelled' && shop.customerNo.peek() === customerNo)
          void askServer(shop, sessionId);
      },
      (error: unknown) => {
        // A newer call superseded this one and shows its own hint.
        if (Object(error).code !== 'superseded') show(toErrorHint(error, 'verify() rejected'));
      },
    );
  } catch (error) {
    current = null;
    show(toErrorHint(error, 'new OfAge() threw'));
  }
}

/**
 * Lets the server create the session with its secret key, and navigates to the verifyUrl that it returns.
 */
function startOnServer(shop: Shop): Promise<void> {
  const { constructorOptions, verifyOptions } = shop.integration.value;
  const { returnUrl, cancelUrl } = constructorOptions;
  const { skipIntro, autoReturn, language: lang = constructorOptions.language } = verifyOptions;
  shop.hint.value = { status: 'leaving', detail: null, from: "the shop's server" };
  return withServer(shop.serverError, async () => {
    const { verifyUrl } = await shop.api
      .checkout({ returnUrl, ...(cancelUrl === undefined ? {} : { cancelUrl }) })
      .catch((error: unknown) => {
        shop.hint.value = null;
        throw error;
      });
    location.assign(
      appendQuery(verifyUrl, {
        ...(lang ? { lang } : {}),
        ...(skipIntro ? { skip_intro: 'true' } : {}),
        ...(autoReturn ? { auto_return: 'true' } : {}),
      }),
    );
  });
}

function toErrorHint(error: unknown, from: string): Hint {
  const { code, message, retryAfterMs }: Record<string, unknown> = Object(error);
  return { status: 'error', detail: { code, message, retryAfterMs }, from };
}

/** Sends a session id to the shop's server and shows its decision, which is authoritative. */
export function askServer(shop: Shop, sessionId: string): Promise<void> {
  const customerNo = shop.customerNo.value;
  return withServer(shop.serverError, async () => {
    const decision = await shop.api.verification(sessionId);
    // Another customer has signed in since, to whom this session means nothing.
    if (shop.customerNo.peek() !== customerNo) return;
    shop.decision.value = decision;
    shop.access.value = await shop.api.access();
  });
}

/** Deletes the customer's access at the shop's server and resets the page. */
export function forgetAccess(shop: Shop): Promise<void> {
  dropCheck(shop);
  return withServer(shop.serverError, async () => {
    await shop.api.forgetAccess();
    await startAfresh(shop);
  });
}

/**
 * Signs in as a new customer and resets the page.
 * @throws ShopError if the shop's server has not signed them in
 */
export async function becomeNewCustomer(shop: Shop): Promise<void> {
  dropCheck(shop);
  await shop.api.signInAnew();
  await startAfresh(shop);
}

/** Closes the window of the customer's check and ignores its result. */
function dropCheck(shop: Shop): void {
  shop.customerNo.value += 1;
  abandonCheck();
}

async function startAfresh(shop: Shop): Promise<void> {
  shop.serverError.value = null;
  shop.hint.value = null;
  shop.decision.value = null;
  shop.confirmation.value = null;
  shop.refusal.value = null;
  shop.orderError.value = null;
  shop.access.value = await shop.api.access();
}
