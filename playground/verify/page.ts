import type { Signal } from '@preact/signals';
import type { Camera } from './camera.ts';
import type { Flow } from './flow.ts';
import type { Language } from '../shared/languages.ts';
import { PSEUDO, type PageLanguage, toLocale } from './language.ts';
import {
  MESSAGES,
  type MessageKey,
  type PluralKey,
  format,
  isMessageKey,
} from './messages/index.ts';
import { toPseudo } from './messages/pseudo.ts';
import type { Place } from './steps.ts';

/** State and services that the views of the hosted page share. */
export interface Page {
  readonly flow: Flow;
  readonly camera: Camera;
  readonly language: Signal<PageLanguage>;
  /** The scenario selected in the sandbox. */
  readonly outcome: Signal<string>;
  /** True if the sandbox blurs the next picture. */
  readonly isBlurred: Signal<boolean>;
  /** True while the privacy notice is open. */
  readonly isPrivacyOpen: Signal<boolean>;
  /**
   * The possible places of the second device: anywhere, on this computer, or in another tab of this
   * browser.
   */
  readonly reach: 'anywhere' | 'computer' | 'browser';
}

/** Tells whether the session belongs to the sandbox. False until the session is known. */
export const isSandbox = ({ flow }: Pick<Page, 'flow'>): boolean =>
  flow.session.value?.sandboxMode === true;

type Speaker = Pick<Page, 'flow' | 'language'>;
type Values = Readonly<Record<string, string | number>>;

/** Returns a text in the page's language, with the session's data filled in. */
export function translate(
  { flow, language }: Speaker,
  key: MessageKey,
  values: Values = {},
): string {
  const session = flow.session.value;
  return format(messageIn(language.value, key), {
    merchant: session?.merchantName ?? '',
    age: session?.challengeAge ?? '',
    ...values,
  });
}

/** Returns the title or the hint of a step. Some documents have a separate text. */
export function translateStep(
  page: Speaker,
  { step, document }: Pick<Place, 'step' | 'document'>,
  part: 'Title' | 'Hint',
): string {
  const ofDocument = `${step}${part}_${document}`;
  return translate(page, isMessageKey(ofDocument) ? ofDocument : `${step}${part}`);
}

/** Returns a text with a number, in the plural form of the language. */
export function translateCount(page: Speaker, key: PluralKey, count: number): string {
  const form = `${key}_${new Intl.PluralRules(toLocale(page.language.value)).select(count)}`;
  // Some languages have a form for millions, but the counts here are ten at most.
  return translate(page, isMessageKey(form) ? form : `${key}_other`, { count });
}

/** Formats a time in the page's language and the shopper's time zone. */
export function formatInstant(
  { language }: Pick<Page, 'language'>,
  instant: string,
  options: Intl.DateTimeFormatOptions = { dateStyle: 'long', timeStyle: 'short' },
): string {
  // "en" would mean the form of the United States, and the texts are British.
  const locale = language.value === 'en' ? 'en-GB' : toLocale(language.value);
  return new Intl.DateTimeFormat(locale, options).format(new Date(instant));
}

function messageIn(language: Language | typeof PSEUDO, key: MessageKey): string {
  return language === PSEUDO ? toPseudo(MESSAGES.en[key]) : MESSAGES[language][key];
}
