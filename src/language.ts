import { quote } from './quote.ts';
import { warnOnce } from './warnings.ts';

/** A language of the hosted page. */
export type Language = 'en' | 'de' | 'es' | 'fr' | 'pt' | 'it';

/** Text of the new window in each language, shown until the hosted page loads. */
export const WAITING_TEXTS: Record<Language, string> = {
  en: 'One moment',
  de: 'Moment',
  es: 'Un momento',
  fr: 'Un moment',
  pt: 'Um momento',
  it: 'Un momento',
};

const LANGUAGES = Object.keys(WAITING_TEXTS);

/** Returns the language of a tag such as `pt-BR`, or undefined if the hosted page does not support it. */
export const toLanguage = (tag = ''): Language | undefined => {
  const [language] = tag.toLowerCase().split(/[-_]/) as [Language];
  return WAITING_TEXTS.hasOwnProperty(language) ? language : undefined;
};

/** Returns the hosted page's language for an option. Warns if the hosted page does not support it. */
export const resolveLanguage = (option: string | undefined): Language | undefined => {
  const language = toLanguage(option);
  if (option && !language) {
    warnOnce(`language must be ${LANGUAGES.join(' or ')}, got ${quote(option)}`);
  }
  return language;
};
