import { describeKind, readCodes } from './code-tables.mjs';
import { writeContent } from './pages.mjs';

/** Writes a page for each error code and for each finding of the doctor. */
export function writeCodePages() {
  for (const [path, rows] of readCodes()) {
    // The links of a row are relative to the page of its table.
    writeContent(path, toMarkdown(rows), rows[0].page);
  }
}

function toMarkdown(rows) {
  const [{ code }] = rows;
  const sections = rows.map((row) => toSection(row, rows.length > 1));
  return [`# ${code}`, ...sections].join('\n\n') + '\n';
}

function toSection({ page, folder, about, from, all, kind, cause, fix }, isOneOfSeveral) {
  const level = isOneOfSeveral ? '###' : '##';
  const file = page.split('/').at(-1);
  return [
    ...(isOneOfSeveral ? [`## From ${from.replace(/ \(.*/, '')}`] : []),
    `${isOneOfSeveral ? 'It comes' : `This is ${about}. It comes`} from ${from}. ${describeKind(folder, kind)}`,
    `${level} Cause\n\n${cause}`,
    `${level} Fix\n\n${fix}`,
    `[${all}](${file})`,
  ].join('\n\n');
}
