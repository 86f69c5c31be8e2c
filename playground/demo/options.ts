import type { OfAgeOptions, VerifyOptions } from 'ofage';
import { LANGUAGES } from '../shared/languages.ts';
import type { Integration, ShopFacts } from '../shop/integration.ts';

export const MODES = ['redirect', 'popup', 'tab', 'server'] as const;
/**
 * The way in which the check is started: with the SDK (a redirect, a popup or a tab), or by the shop's
 * server.
 */
export type Mode = (typeof MODES)[number];

/**
 * The choices in the panel: the supported languages, one with a region, and one that the SDK does not
 * support.
 */
export const LANGUAGE_CHOICES = [...LANGUAGES, 'pt-BR', 'nl'] as const;
export type LanguageChoice = (typeof LANGUAGE_CHOICES)[number];

/** The settings of the integration panel. */
export interface IntegrationOptions {
  readonly mode: Mode;
  /** The publishable key. Null uses the shop's own key. */
  readonly apiKey: string | null;
  /** The return URL. Null uses the shop's return page. */
  readonly returnUrl: string | null;
  /** True if the shop sets a cancelUrl. */
  readonly cancelUrl: boolean;
  /** The cancelUrl. Null uses the shop's own page. */
  readonly cancelAddress: string | null;
  /** The language. With null, the hosted page follows the browser's language. */
  readonly language: LanguageChoice | null;
  readonly environment: 'production' | 'staging';
  readonly onComplete: boolean;
  readonly onCancel: boolean;
  /** True if `onCancel` returns false, which keeps the shopper on this page. */
  readonly stayOnCancel: boolean;
  readonly onError: boolean;
  /**
   * True if the shop sends the customer's id. Otherwise the server cannot tell which customer a check
   * belongs to.
   */
  readonly sendsCustomer: boolean;
  readonly skipIntro: boolean;
  readonly autoReturn: boolean;
  /** The language of a single `verify()` call. */
  readonly callLanguage: LanguageChoice | null;
  /** True if the page tries to set a policy, which the SDK rejects. */
  readonly setsPolicy: boolean;
}

export const DEFAULT_OPTIONS: IntegrationOptions = {
  mode: 'popup',
  apiKey: null,
  returnUrl: null,
  cancelUrl: false,
  cancelAddress: null,
  language: null,
  environment: 'production',
  onComplete: false,
  onCancel: false,
  stayOnCancel: false,
  onError: false,
  sendsCustomer: true,
  skipIntro: false,
  autoReturn: false,
  callLanguage: null,
  setsPolicy: false,
};

/**
 * Parses options from a query string such as `?mode=tab&skipIntro=true`. Missing options keep their value
 * from `kept`.
 */
export function readOptions(search: string, kept: IntegrationOptions): IntegrationOptions {
  const params = new URLSearchParams(search);
  const read = Object.entries(kept).map(([name, value]) => {
    const text = params.get(name);
    if (text === null) return [name, value];
    if (typeof value === 'boolean') return [name, text === 'true'];
    const choices = CHOICES[name];
    return [name, choices ? (choices.find((choice) => choice === text) ?? value) : text];
  });
  return Object.fromEntries(read) as IntegrationOptions;
}

/** The values of the options that do not accept any text. */
const CHOICES: Readonly<Record<string, readonly string[]>> = {
  mode: MODES,
  language: LANGUAGE_CHOICES,
  callLanguage: LANGUAGE_CHOICES,
  environment: ['production', 'staging'],
};

/** The names of the boolean options. */
export type Flag = {
  [Name in keyof IntegrationOptions]: IntegrationOptions[Name] extends boolean ? Name : never;
}[keyof IntegrationOptions];

/** Formats options as a query string, which {@link readOptions} can parse on top of the defaults. */
export function writeOptions(options: IntegrationOptions): string {
  const set = Object.entries(options).filter(([, value]) => value !== null);
  return new URLSearchParams(set.map(([name, value]) => [name, String(value)])).toString();
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

/**
 * Returns the shop's integration with these options.
 * @param note Is told each call of a callback, such as `onCancel()`
 */
export function toIntegration(
  options: IntegrationOptions,
  facts: ShopFacts,
  note: (call: string) => void,
): Integration {
  const { onComplete, onCancel, stayOnCancel, onError } = options;
  const noteCall = (name: string, argument: unknown): void =>
    note(`${name}(${JSON.stringify(argument)})`);
  return {
    isOnServer: options.mode === 'server',
    constructorOptions: {
      ...toConstructorSettings(options, facts),
      ...(onComplete && { onComplete: (result) => noteCall('onComplete', result) }),
      ...((onCancel || stayOnCancel) && {
        onCancel: () => {
          note('onCancel()');
          return stayOnCancel ? false : undefined;
        },
      }),
      ...(onError && { onError: ({ code, message }) => noteCall('onError', { code, message }) }),
    },
    verifyOptions: toCallSettings(options, facts),
  };
}
