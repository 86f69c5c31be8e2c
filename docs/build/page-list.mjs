import { globSync } from 'node:fs';
import { CONTENTS } from '../contents.mjs';
import { DOCS } from './paths.mjs';

/** The pages outside docs/. */
const OUTSIDE = ['../CHANGELOG.md', '../CONTRIBUTING.md', '../SECURITY.md'];

/** Returns all pages, as paths relative to docs/. */
export function listPages() {
  const exclude = (path) => /^(node_modules|site|reference)$/.test(path);
  return [...globSync('**/*.md', { cwd: DOCS, exclude }).sort(), ...OUTSIDE];
}

/** @throws Error if a page is in no section, or a section names a page that does not exist */
export function checkContents(pages) {
  const listed = CONTENTS.flatMap((section) => section.pages);
  const forgotten = pages.filter((page) => !listed.some((entry) => isEntryOf(entry, page)));
  if (forgotten.length > 0) {
    throw new Error(`Add to a section of docs/contents.mjs: ${forgotten.join(', ')}`);
  }
  const missing = listed.filter((entry) => entry.endsWith('.md') && !pages.includes(entry));
  if (missing.length > 0) {
    throw new Error(`docs/contents.mjs names pages that do not exist: ${missing.join(', ')}`);
  }
}

/** Tells whether an entry of a section contains a page. An entry with a slash at its end is a folder. */
export const isEntryOf = (entry, page) =>
  entry === page || (entry.endsWith('/') && page.startsWith(entry));
