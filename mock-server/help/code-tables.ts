// The tables of docs/errors.md, which list the error codes and the doctor's findings.
import { readFileSync } from 'node:fs';
import { toSiteUrl } from './docs-site.ts';

/** The page with all tables, below docs/. */
export const ERRORS = 'errors.md';

/** A section of the page that lists codes. */
interface CodeTable {
  readonly section: string;
  /** The folder of the pages that are written for its codes. */
  readonly folder: 'errors' | 'findings';
  /** The end of the sentence "This is …". */
  readonly about: string;
  /** The part that reports the codes. */
  readonly from: string;
}

const TABLES: readonly CodeTable[] = [
  {
    section: 'The browser SDK',
    folder: 'errors',
    about: 'an error of the browser SDK',
    from: 'the browser SDK (`ofage`)',
  },
  {
    section: 'The server kit',
    folder: 'errors',
    about: 'an error of the server kit',
    from: 'the server kit (`ofage/server`)',
  },
  {
    section: 'Webhooks',
    folder: 'errors',
    about: 'an error of the server kit',
    from: 'the webhook handler (`ofage/server`)',
  },
  {
    section: 'Findings of the doctor',
    folder: 'findings',
    about: 'a finding of the doctor',
    from: 'the doctor',
  },
];

const ROW = /^\| `([a-z_]+)` *\| *(.+?) *\| *(.+?) *\| *(.+?) *\|$/gm;

/** Returns the text of a section, without the sections after it. */
export function readSection(title: string): string {
  const text = readFileSync(new URL(`../../docs/${ERRORS}`, import.meta.url), 'utf8');
  const [, section] = text.split(`\n## ${title}\n`);
  if (section === undefined) throw new Error(`docs/${ERRORS} has no section "${title}"`);
  return section.split('\n## ')[0] ?? '';
}

interface CodeRow extends CodeTable {
  readonly code: string;
  /** Whether to call again, or the severity of a finding. */
  readonly kind: string;
  readonly cause: string;
  readonly fix: string;
}

/** Returns the rows of all tables, grouped by the path of the page that is written for their code. */
export function readCodes(): Map<string, readonly CodeRow[]> {
  const codes = new Map<string, readonly CodeRow[]>();
  for (const table of TABLES) {
    const rows = readSection(table.section).matchAll(ROW);
    for (const [, code = '', kind = '', cause = '', fix = ''] of rows) {
      const path = `${table.folder}/${code}`;
      codes.set(path, [...(codes.get(path) ?? []), { ...table, code, kind, cause, fix }]);
    }
  }
  return codes;
}

/** Links the codes in the first columns of the tables to their pages. */
export function withCodeLinks(text: string): string {
  const paths = [...readCodes().keys()];
  return text.replace(
    /^\| `([a-z_]+)`(?= *\| (yes|no|problem|warning|ok)\b)/gm,
    (row, code: string, kind: string) => {
      const folder = kind === 'yes' || kind === 'no' ? 'errors' : 'findings';
      const path = `${folder}/${code}`;
      return paths.includes(path) ? `| [\`${code}\`](${toSiteUrl(path)})` : row;
    },
  );
}

/** Returns a sentence about the second cell of a row: whether to call again, or the severity. */
export function describeKind(folder: CodeTable['folder'], kind: string): string {
  if (folder === 'findings') {
    return kind === 'ok' ? 'It reports a passed check.' : `Its severity is ${kind}.`;
  }
  return kind === 'yes'
    ? 'The same call may succeed later (`retryable` is true).'
    : 'The same call will fail again (`retryable` is false).';
}
