// The causes and fixes of all codes, for the help pages of the mock and for `ofage-mock explain`. Imports
// nothing that Node 20 lacks, because the mock also runs from source.
import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { describeKind, readCodes } from './code-tables.mjs';
import { DOCS, toSiteUrl, toSlug } from './paths.mjs';

const WARNING = /^\| (`[^|]+`) *\| *([^|]+?) *\| *([^|]+?) *\|$/gm;

/** Returns an entry for each row of the tables, in their order. */
export function readHelp() {
  const codes = [...readCodes().values()]
    .flat()
    .map(({ page, folder, code, from, kind, cause, fix }) => ({
      code,
      from,
      kind: describeKind(folder, kind),
      cause: toHelp(cause, page),
      fix: toHelp(fix, page),
    }));
  return [...codes, ...readWarnings()];
}

/** Returns the warnings of the browser SDK. They have no codes, so all are on one page. */
function readWarnings() {
  const page = 'errors.md';
  const [, text = ''] = readFileSync(join(DOCS, page), 'utf8').split('\n## Warnings\n');
  return Array.from(text.matchAll(WARNING), ([, warning, cause, fix]) => ({
    code: 'warnings',
    from: 'the browser SDK (`ofage`)',
    kind: `The warning is ${warning}.`,
    cause: toHelp(cause, page),
    fix: toHelp(fix, page),
  }));
}

/** Changes the links of a cell: to the help about a code, or to the site that the mock serves. */
const toHelp = (text, page) =>
  text.replaceAll(/\]\(([^)#\s]*\.md)?(?:#([^)\s]+))?\)/g, (_, path, anchor) => {
    const target = path === undefined ? page : posix.join(posix.dirname(page), path);
    if (anchor !== undefined && /^(server-)?errors\.md$/.test(target)) return `](/help/${anchor})`;
    return `](${toSiteUrl(toSlug(target))}${anchor === undefined ? '' : `#${anchor}`})`;
  });
