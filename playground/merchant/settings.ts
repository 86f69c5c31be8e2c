import type { OfAgeOptions, VerifyOptions } from 'ofage';
import type { IntegrationOptions } from './options.ts';

/** The shop's own values, which every integration uses. */
export interface ShopFacts {
  readonly publishableKey: string;
  /** The URL of the shop's return page. */
  readonly returnUrl: string;
  readonly cancelUrl: string;
  readonly customerId: string;
}

/** The constructor options without callbacks. */
export type ConstructorSettings = Omit<OfAgeOptions, 'onComplete' | 'onCancel' | 'onError'>;

/**
 * Returns the options for `new OfAge()` without callbacks. Leaves out options that have the SDK's default.
 */
export function toConstructorSettings(
  options: IntegrationOptions,
  facts: ShopFacts,
): ConstructorSettings {
  const { mode, language, environment } = options;
  return {
    apiKey: options.apiKey ?? facts.publishableKey,
    returnUrl: options.returnUrl ?? facts.returnUrl,
    ...(options.cancelUrl && { cancelUrl: options.cancelAddress ?? facts.cancelUrl }),
    ...((mode === 'popup' || mode === 'tab') && { mode: 'new-tab' as const }),
    ...(mode === 'tab' && { newTabTarget: 'tab' as const }),
    ...(language && { language }),
    ...(environment === 'staging' && { environment }),
    // The SDK has no such option and rejects it, which is what the switch demonstrates.
    ...(options.setsPolicy && { challengeAge: 25 }),
  };
}

/** Returns the options for `verify()`. */
export function toCallSettings(options: IntegrationOptions, facts: ShopFacts): VerifyOptions {
  const { sendsCustomer, skipIntro, autoReturn, callLanguage } = options;
  return {
    ...(sendsCustomer && { externalUserId: facts.customerId }),
    ...(skipIntro && { skipIntro }),
    ...(autoReturn && { autoReturn }),
    ...(callLanguage && { language: callLanguage }),
  };
}

/** Returns warnings about options that the SDK accepts but that may surprise an integrator. */
export function adviceOn(options: IntegrationOptions): string[] {
  const { mode } = options;
  const isNewTab = mode === 'popup' || mode === 'tab';
  const calls = [
    options.onComplete && 'onComplete',
    (options.onCancel || options.stayOnCancel) && 'onCancel',
  ].filter((name) => name !== false);
  const advice: (string | false)[] = [
    mode === 'server' &&
      "The SDK is not used: your server creates the session, so the SDK's options have no effect here. Language, skipIntro and autoReturn are parameters of the address.",
    mode === 'redirect' &&
      calls.length > 0 &&
      `${calls.join(' and ')} ${calls.length > 1 ? 'are' : 'is'} not called in redirect mode: this page is gone by then. The return page learns the outcome.`,
    isNewTab &&
      options.stayOnCancel &&
      !options.cancelUrl &&
      'onCancel returns false, but there is no cancelUrl to stay away from.',
    [options.language, options.callLanguage].includes('nl') &&
      'nl is not one of the six languages: the SDK leaves it out, and the page follows the browser.',
    !options.sendsCustomer &&
      mode !== 'server' &&
      'Without externalUserId the server cannot tell whose check it was, so this shop gives no access.',
    options.environment === 'staging' &&
      mode !== 'server' &&
      'Staging is another installation with other keys. The mock answers for it; the static playground does not.',
  ];
  return advice.filter((line) => line !== false);
}
