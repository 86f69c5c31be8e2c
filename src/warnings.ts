import { BRAND, ERRORS_URL } from './brand.ts';

/** Tells the developer of the page about something that works differently from what they may expect. */
export const warn = (sentence: string): void => {
  // oxlint-disable-next-line no-console -- for the developer: it is how the page is set up
  console.warn(`${BRAND}: ${sentence}. See ${ERRORS_URL}#warnings`);
};

const given = new Set<string>();

/** The same, but once per page: a component may create its object again and again. */
export const warnOnce = (sentence: string): void => {
  if (!given.has(sentence)) warn(sentence);
  given.add(sentence);
};
