import { LANGUAGES, type Language } from '../shared/languages.ts';

/**
 * Pseudo-localised English, with accents and brackets. Text that lacks them is not translated yet. It works
 * only on loopback, for developers of this page. Elsewhere it is ignored, like any unknown value.
 */
export const PSEUDO = 'x-pseudo';
export type PageLanguage = Language | typeof PSEUDO;

/**
 * Returns the language of the page, which comes from the `lang` parameter, otherwise from the browser's
 * first supported language. The default is English.
 */
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

/**
 * Returns the supported language of a tag: `pt` for `pt-BR` and `PT_br`. Undefined if it is not supported.
 */
function toLanguage(tag: string): Language | undefined {
  const primary = tag.trim().toLowerCase().split(/[-_]/)[0];
  return LANGUAGES.find((language) => language === primary);
}

/** Returns the tag for `Intl` and for the `lang` attribute. */
export const toLocale = (language: PageLanguage): string =>
  language === PSEUDO ? `en-${PSEUDO}` : language;

/** Tells whether the page is served by this computer. */
export const isLoopback = (hostname: string): boolean =>
  hostname === 'localhost' || hostname === '127.0.0.1' || hostname === '[::1]';
