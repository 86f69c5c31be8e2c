// The tables of the guides that list error codes and the doctor's findings.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DOCS, toSiteUrl } from './paths.mjs';

/** The tables. `about` ends the sentence "This is …", and `all` is the text of a link to the table. */
const TABLES = [
  {
    page: 'errors.md',
    folder: 'errors',
    about: 'an error of the browser SDK',
    from: 'the browser SDK (`ofage`)',
    all: 'All errors of the browser SDK',
  },
  {
    page: 'server-errors.md',
    folder: 'errors',
    about: 'an error of the server kit',
    from: 'the server kit (`ofage/server`)',
    all: 'All errors of the server kit',
  },
  {
    page: 'guides/doctor.md',
    folder: 'findings',
    about: 'a finding of the doctor',
    from: 'the doctor',
    all: 'All findings of the doctor',
  },
];

const ROW = /^\| (?:<a id="\w+"><\/a>)?`([a-z_]+)` *\| *(.+?) *\| *(.+?) *\| *(.+?) *\|$/gm;

/** Returns the rows of all tables, grouped by the path of the page that is written for their code. */
export function readCodes() {
  const codes = new Map();
  for (const table of TABLES) {
    const text = readFileSync(join(DOCS, table.page), 'utf8');
    for (const [, code, kind, cause, fix] of text.matchAll(ROW)) {
      const path = `${table.folder}/${code}`;
      codes.set(path, [...(codes.get(path) ?? []), { ...table, code, kind, cause, fix }]);
    }
  }
  return codes;
}

/** Links the codes in the first column of a table to their pages. */
export function withCodeLinks(text, page) {
  const table = TABLES.find((one) => one.page === page);
  if (table === undefined) return text;
  return text.replace(
    /^\| ((?:<a id="\w+"><\/a>)?)`([a-z_]+)`(?= *\|.*\|.*\|.*\|$)/gm,
    (_, anchor, code) => `| ${anchor}[\`${code}\`](${toSiteUrl(`${table.folder}/${code}`)})`,
  );
}

/** Returns a sentence about the second cell of a row: whether to call again, or the severity. */
export function describeKind(folder, kind) {
  if (folder === 'findings') {
    return kind === 'ok' ? 'It reports a passed check.' : `Its severity is ${kind}.`;
  }
  return kind === 'yes'
    ? 'The same call may succeed later (`retryable` is true).'
    : 'The same call will fail again (`retryable` is false).';
}
