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
      'Your server creates the session, so most SDK options have no effect. Language, skipIntro and autoReturn are query parameters of verifyUrl.',
    mode === 'redirect' &&
      calls.length > 0 &&
      `${calls.join(' and ')} ${calls.length > 1 ? 'are' : 'is'} not called in redirect mode, because this page is gone by then. The return page gets the result.`,
    isNewTab &&
      options.stayOnCancel &&
      !options.cancelUrl &&
      'onCancel returns false, which has no effect without a cancelUrl.',
    [options.language, options.callLanguage].includes('nl') &&
      'nl is not supported. The SDK ignores it, and the hosted page follows the browser.',
    !options.sendsCustomer &&
      mode !== 'server' &&
      'Without externalUserId, the server cannot tell whose check it was and gives no access.',
    options.environment === 'staging' &&
      mode !== 'server' &&
      'Staging is a separate installation with its own keys. The mock also serves staging, but the static playground does not.',
  ];
  return advice.filter((line) => line !== false);
}
