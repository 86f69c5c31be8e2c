import { LANGUAGES } from '../verify/language.ts';

export const MODES = ['redirect', 'popup', 'tab', 'server'] as const;
/** How the check is opened: three ways of the SDK, and a session made by the shop's server. */
export type Mode = (typeof MODES)[number];

/** What the panel offers: the six, one with a region, and one that the SDK does not know. */
export const LANGUAGE_CHOICES = [...LANGUAGES, 'pt-BR', 'nl'] as const;
export type LanguageChoice = (typeof LANGUAGE_CHOICES)[number];

/** What the integration panel sets. */
export interface IntegrationOptions {
  readonly mode: Mode;
  /** `null`: the shop's own publishable key. */
  readonly apiKey: string | null;
  /** `null`: the shop's return page. */
  readonly returnUrl: string | null;
  /** Whether the shop names a page of its own for shoppers who cancel. */
  readonly cancelUrl: boolean;
  /** `null`: the shop itself. */
  readonly cancelAddress: string | null;
  /** `null` leaves it to the hosted page, which follows the browser. */
  readonly language: LanguageChoice | null;
  readonly environment: 'production' | 'staging';
  readonly onComplete: boolean;
  readonly onCancel: boolean;
  /** Whether `onCancel` returns false, which keeps the shopper on this page. */
  readonly stayOnCancel: boolean;
  readonly onError: boolean;
  /** Whether the customer's id goes along; without it nobody can tell whose check it was. */
  readonly sendsCustomer: boolean;
  readonly skipIntro: boolean;
  readonly autoReturn: boolean;
  /** `language` of this call alone. */
  readonly callLanguage: LanguageChoice | null;
  /** Whether the page tries to set a policy, which only the dashboard can. */
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

/** Reads options from a query string such as `?mode=tab&skipIntro=true`; what it leaves out stays. */
export function readOptions(search: string, kept: IntegrationOptions): IntegrationOptions {
  const params = new URLSearchParams(search);
  const flag = (name: Flag): boolean =>
    params.has(name) ? params.get(name) === 'true' : kept[name];
  const text = (name: 'apiKey' | 'returnUrl' | 'cancelAddress'): string | null =>
    params.get(name) ?? kept[name];
  const language = (name: 'language' | 'callLanguage'): LanguageChoice | null => {
    const value = params.get(name);
    return value === null ? kept[name] : (toLanguageChoice(value) ?? null);
  };
  const environment = params.get('environment') ?? kept.environment;
  return {
    mode: MODES.find((mode) => mode === params.get('mode')) ?? kept.mode,
    apiKey: text('apiKey'),
    returnUrl: text('returnUrl'),
    cancelUrl: flag('cancelUrl'),
    cancelAddress: text('cancelAddress'),
    language: language('language'),
    environment: environment === 'staging' ? 'staging' : 'production',
    onComplete: flag('onComplete'),
    onCancel: flag('onCancel'),
    stayOnCancel: flag('stayOnCancel'),
    onError: flag('onError'),
    sendsCustomer: flag('sendsCustomer'),
    skipIntro: flag('skipIntro'),
    autoReturn: flag('autoReturn'),
    callLanguage: language('callLanguage'),
    setsPolicy: flag('setsPolicy'),
  };
}

/** The options that are on or off. */
export type Flag = {
  [Name in keyof IntegrationOptions]: IntegrationOptions[Name] extends boolean ? Name : never;
}[keyof IntegrationOptions];

export const toLanguageChoice = (value: string): LanguageChoice | undefined =>
  LANGUAGE_CHOICES.find((choice) => choice === value);

/** Writes options as the query string that {@link readOptions} reads on top of the defaults. */
export function writeOptions(options: IntegrationOptions): string {
  const set = Object.entries(options).filter(([, value]) => value !== null);
  return new URLSearchParams(set.map(([name, value]) => [name, String(value)])).toString();
}
