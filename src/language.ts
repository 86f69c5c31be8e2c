/** A language of the verification page. */
export type Language = 'en' | 'de' | 'es' | 'fr' | 'pt' | 'it';

/** The languages of the verification page, each with what a window says until the page is there. */
export const WAITING_TEXTS: Record<string, string> = {
  en: 'One moment',
  de: 'Moment',
  fr: 'Un moment',
  es: 'Un momento',
  it: 'Un momento',
  pt: 'Um momento',
};

/** Two letters the verification page knows, or undefined. */
export const toLanguage = (tag = ''): Language | undefined => {
  // Two letters and what parts them from a region; a third letter makes another language.
  const letters = tag
    .toLowerCase()
    .slice(0, 3)
    .replace(/[^a-z]$/, '');
  return (WAITING_TEXTS[letters] && letters) as Language | undefined; // a key of the table
};
