import type { OfAgeOptions } from 'ofage';
import { appendQuery } from '../shared/append-query.ts';
import { type Hint, toNextStep } from './next-step.ts';
import { toCallSettings, toConstructorSettings } from './settings.ts';
import { type Shop, askServer, withServer } from './shop.ts';
import { tracedSdk } from './traced-sdk.ts';

/**
 * Starts the check in the chosen way. Called straight from the click: a browser opens a window only
 * while the click is being handled, so nothing may be awaited before `verify()`.
 */
export function verifyAge(shop: Shop): void {
  const { hint, access, decision } = shop;
  // The SDK cannot know that the time is over, and would show the old window again.
  if (toNextStep(hint.value, access.value, decision.value).kind === 'expired') abandonCheck();
  decision.value = null;
  shop.trouble.value = null;
  shop.callbacks.value = [];
  if (shop.options.value.mode === 'server') void startOnServer(shop);
  else startInBrowser(shop);
}

type Sdk = InstanceType<ReturnType<typeof tracedSdk>>;

/**
 * One object for each set of options: while its check runs, a second click finds the window again
 * instead of opening another.
 */
let current: { readonly key: string; readonly ofAge: Sdk } | null = null;

/** Closes the window of a check that is of no use any more. */
function abandonCheck(): void {
  current?.ofAge.destroy();
  current = null;
}

function startInBrowser(shop: Shop): void {
  const options = shop.options.value;
  const { onComplete, onCancel, stayOnCancel, onError } = options;
  const settings = toConstructorSettings(options, shop.facts.value);
  const note = (name: string, said?: unknown): void => {
    const shown = said === undefined ? '' : JSON.stringify(said);
    shop.callbacks.value = [`${name}(${shown})`, ...shop.callbacks.value].slice(0, 10);
  };
  const callbacks: Pick<OfAgeOptions, 'onComplete' | 'onCancel' | 'onError'> = {
    ...(onComplete && { onComplete: (result) => note('onComplete', result) }),
    ...((onCancel || stayOnCancel) && {
      onCancel: () => {
        note('onCancel');
        return stayOnCancel ? false : undefined;
      },
    }),
    ...(onError && { onError: ({ code, message }) => note('onError', { code, message }) }),
  };
  const heardBefore = shop.access.value?.webhooks[0]?.receivedAt;
  const show = (hint: Hint): void => {
    shop.hint.value = heardBefore === undefined ? hint : { ...hint, heardBefore };
  };
  const isRedirect = options.mode === 'redirect';
  show({ status: isRedirect ? 'leaving' : 'waiting', said: null, from: 'verify()' });
  try {
    const { customerId } = shop.facts.value;
    const key = JSON.stringify([settings, Object.keys(callbacks), stayOnCancel, customerId]);
    if (current?.key !== key) {
      abandonCheck();
      const OfAge = tracedSdk();
      current = { key, ofAge: new OfAge({ ...settings, ...callbacks }) };
    }
    current.ofAge.verify(toCallSettings(options, shop.facts.value)).then(
      (result) => {
        const { status, sessionId } = result;
        // Ended by a click with other options, which has a hint of its own.
        if (status === 'cancelled' && result.reason === 'destroyed') return;
        const from = 'verify() resolved';
        show({ status, said: result, from, ...(sessionId ? { sessionId } : {}) });
        // `verified` here is what a browser says. The server finds out for itself.
        if (sessionId && status !== 'cancelled') void askServer(shop, sessionId);
      },
      (error: unknown) => {
        // Another call took its place, and tells its own story.
        if (Object(error).code !== 'superseded') show(toErrorHint(error, 'verify() rejected'));
      },
    );
  } catch (error) {
    current = null;
    show(toErrorHint(error, 'new OfAge() threw'));
  }
}

/** The server makes the session with its secret key; the page only goes where it is told. */
function startOnServer(shop: Shop): Promise<void> {
  const { language, callLanguage, skipIntro, autoReturn } = shop.options.value;
  const { returnUrl, cancelUrl } = toConstructorSettings(shop.options.value, shop.facts.value);
  const lang = callLanguage ?? language;
  shop.hint.value = { status: 'leaving', said: null, from: "the shop's server" };
  return withServer(shop.trouble, async () => {
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
  return { status: 'error', said: { code, message, retryAfterMs }, from };
}
