import type { Signal } from '@preact/signals';
import type { Camera } from './camera.ts';
import type { Flow } from './flow.ts';
import { type Language, PSEUDO, type PageLanguage, toLocale } from './language.ts';
import {
  MESSAGES,
  type MessageKey,
  type PluralKey,
  format,
  isMessageKey,
} from './messages/index.ts';
import { toPseudo } from './messages/pseudo.ts';
import type { Scenario } from './scenarios.ts';

/** What the views of the hosted page share. */
export interface Page {
  readonly flow: Flow;
  readonly camera: Camera;
  readonly language: Signal<PageLanguage>;
  readonly scenarios: Signal<readonly Scenario[]>;
  /** The scenario that the sandbox's chooser stands on. */
  readonly outcome: Signal<string>;
  /** Whether the sandbox shall blur the next picture. */
  readonly isBlurred: Signal<boolean>;
  /** Where a second device can be: anywhere, on this computer, or in another tab of this browser. */
  readonly reach: 'anywhere' | 'computer' | 'browser';
}

type Speaker = Pick<Page, 'flow' | 'language'>;
type Values = Readonly<Record<string, string | number>>;

/** A text in the page's language, with what is known of the session filled in. */
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

/** A text that counts, in the form that the language has for the number. */
export function translateCount(page: Speaker, key: PluralKey, count: number): string {
  const form = `${key}_${new Intl.PluralRules(toLocale(page.language.value)).select(count)}`;
  // Some languages have a form for millions. We count to ten.
  return translate(page, isMessageKey(form) ? form : `${key}_other`, { count });
}

/** An instant as the language writes it, by the shopper's own time zone. */
export function formatInstant(
  { language }: Pick<Page, 'language'>,
  instant: string,
  options: Intl.DateTimeFormatOptions = { dateStyle: 'long', timeStyle: 'short' },
): string {
  return new Intl.DateTimeFormat(toLocale(language.value), options).format(new Date(instant));
}

function messageIn(language: Language | typeof PSEUDO, key: MessageKey): string {
  return language === PSEUDO ? toPseudo(MESSAGES.en[key]) : MESSAGES[language][key];
}
