/** The languages of the hosted page. */
export const LANGUAGES = ['en', 'de', 'es', 'fr', 'pt', 'it'] as const;
export type Language = (typeof LANGUAGES)[number];

/** Each language's name in that language. */
export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = {
  en: 'English',
  de: 'Deutsch',
  es: 'Español',
  fr: 'Français',
  pt: 'Português',
  it: 'Italiano',
};
