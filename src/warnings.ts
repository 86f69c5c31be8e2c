import { BRAND } from './brand.ts';
import { seeHelp } from './help.ts';
import { tryTo } from './try-to.ts';

/** Warns the page's developer about behaviour that they may not expect. */
export const warn = (sentence: string): void => {
  // Some pages remove the console.
  // oxlint-disable-next-line no-console -- the warning is for the developer of the page
  tryTo(() => console.warn(`${BRAND}: ${sentence}${seeHelp('warnings')}`));
};

const given = new Set<string>();

/** Prints each warning once per page, because a component may create its SDK object repeatedly. */
export const warnOnce = (sentence: string): void => {
  if (!given.has(sentence)) warn(sentence);
  given.add(sentence);
};
