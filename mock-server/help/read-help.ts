import { posix } from 'node:path';
import { ERRORS, describeKind, readCodes, readSection } from './code-tables.ts';
import { toSiteUrl, toSlug } from './docs-site.ts';

/** The help about a code from one source. A code may have several, such as the SDK and the doctor. */
export interface HelpEntry {
  /** An error's or a finding's code, or `warnings`. */
  readonly code: string;
  /** The part that reports the code. Markdown with code and links, like the fields below. */
  readonly from: string;
  /** A sentence about the kind or the severity. */
  readonly kind: string;
  readonly cause: string;
  readonly fix: string;
}

const WARNING = /^\| (`[^|]+`) *\| *([^|]+?) *\| *([^|]+?) *\|$/gm;

/** Returns an entry for each row of the tables of the documentation, in their order. */
export function readHelp(): HelpEntry[] {
  const codes = [...readCodes().values()]
    .flat()
    .map(({ folder, code, from, kind, cause, fix }) => ({
      code,
      from,
      kind: describeKind(folder, kind),
      cause: toHelp(cause),
      fix: toHelp(fix),
    }));
  return [...codes, ...readWarnings()];
}

/** Returns the warnings of the browser SDK. They have no codes, so all are on one page. */
function readWarnings(): HelpEntry[] {
  return Array.from(
    readSection('Warnings').matchAll(WARNING),
    ([, warning = '', cause = '', fix = '']) => ({
      code: 'warnings',
      from: 'the browser SDK (`ofage`)',
      kind: `The warning is ${warning}.`,
      cause: toHelp(cause),
      fix: toHelp(fix),
    }),
  );
}

/** Changes the links of a cell, which are relative to the page of the tables, to those of the site. */
const toHelp = (text: string): string =>
  text.replaceAll(
    /\]\(([^)#\s]*\.md)?(#[^)\s]+)?\)/g,
    (_, path: string = ERRORS, anchor: string = '') =>
      `](${toSiteUrl(toSlug(posix.normalize(path)))}${anchor})`,
  );
