export const LANGUAGES = ['en', 'de', 'es', 'fr', 'pt', 'it'] as const;
export type Language = (typeof LANGUAGES)[number];

/** Each language by its own name, for the choice. */
export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = {
  en: 'English',
  de: 'Deutsch',
  es: 'Español',
  fr: 'Français',
  pt: 'Português',
  it: 'Italiano',
};

/**
 * English with accents, in brackets: what shows up without them has not been translated. Only for
 * whoever works on this page, so a host that shoppers can reach ignores it as any other unknown value.
 */
export const PSEUDO = 'x-pseudo';
export type PageLanguage = Language | typeof PSEUDO;

/** The language of the page: what `lang` asks for, else the browser's first that we speak, else English. */
export function resolveLanguage(
  lang: string | null,
  browser: readonly string[],
  hostname = '',
): PageLanguage {
  if (lang === PSEUDO && isLoopback(hostname)) return PSEUDO;
  for (const tag of [lang ?? '', ...browser]) {
    const language = toLanguage(tag);
    if (language) return language;
  }
  return 'en';
}

/** `pt-BR` and `PT_br` are `pt`; a tag that we do not speak is nothing. */
export function toLanguage(tag: string): Language | undefined {
  const primary = tag.trim().toLowerCase().split(/[-_]/)[0];
  return LANGUAGES.find((language) => language === primary);
}

/** What `Intl` and the `lang` attribute take. */
export const toLocale = (language: PageLanguage): string =>
  language === PSEUDO ? `en-${PSEUDO}` : language;

/** Whether the page is this computer's own, as the mock's always is. */
export const isLoopback = (hostname: string): boolean =>
  hostname === 'localhost' || hostname === '127.0.0.1' || hostname === '[::1]';
