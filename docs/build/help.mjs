// The causes and fixes of all codes, for the help pages of the mock and for `ofage-mock explain`. Imports
// nothing that Node 20 lacks, because the mock also runs from source.
import { posix } from 'node:path';
import { ERRORS, describeKind, readCodes, readSection } from './code-tables.mjs';
import { toSiteUrl, toSlug } from './paths.mjs';

const WARNING = /^\| (`[^|]+`) *\| *([^|]+?) *\| *([^|]+?) *\|$/gm;

/** Returns an entry for each row of the tables, in their order. */
export function readHelp() {
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
function readWarnings() {
  return Array.from(readSection('Warnings').matchAll(WARNING), ([, warning, cause, fix]) => ({
    code: 'warnings',
    from: 'the browser SDK (`ofage`)',
    kind: `The warning is ${warning}.`,
    cause: toHelp(cause),
    fix: toHelp(fix),
  }));
}

/** Changes the links of a cell, which are relative to the page of the tables, to those of the site. */
const toHelp = (text) =>
  text.replaceAll(/\]\(([^)#\s]*\.md)?(#[^)\s]+)?\)/g, (_, path = ERRORS, anchor = '') => {
    return `](${toSiteUrl(toSlug(posix.normalize(path)))}${anchor})`;
  });
