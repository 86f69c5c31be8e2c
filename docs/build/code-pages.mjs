import {
  ERRORS,
  describeKind,
  readCodes,
  readSection,
} from '../../mock-server/help/code-tables.ts';
import { writeContent } from './pages.mjs';

/** Writes a page for each error code, for each finding of the doctor, and for the SDK's warnings. */
export function writeCodePages() {
  for (const [path, rows] of readCodes()) {
    // The links of a row are relative to the page of the tables.
    writeContent(path, toMarkdown(rows), ERRORS);
  }
  const warnings = `# Warnings of the browser SDK\n\n${readSection('Warnings').trim()}\n`;
  writeContent('errors/warnings', warnings, ERRORS);
}

function toMarkdown(rows) {
  const [{ code }] = rows;
  const sections = rows.map((row) => toSection(row, rows.length > 1));
  return [`# ${code}`, ...sections].join('\n\n') + '\n';
}

function toSection({ folder, about, from, kind, cause, fix }, isOneOfSeveral) {
  const level = isOneOfSeveral ? '###' : '##';
  return [
    ...(isOneOfSeveral ? [`## From ${from.replace(/ \(.*/, '')}`] : []),
    `${isOneOfSeveral ? 'It comes' : `This is ${about}. It comes`} from ${from}. ${describeKind(folder, kind)}`,
    `${level} Cause\n\n${cause}`,
    `${level} Fix\n\n${fix}`,
    `[All errors and findings](${ERRORS})`,
  ].join('\n\n');
}
