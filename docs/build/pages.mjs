import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { withCodeLinks } from './code-tables.mjs';
import { toContent } from './markdown.mjs';
import { checkContents, listPages } from './page-list.mjs';
import { CONTENT, DOCS, toSlug } from './paths.mjs';

/** Empties Starlight's folder and copies all pages into it. */
export function writePages() {
  rmSync(CONTENT, { recursive: true, force: true });
  const pages = listPages();
  checkContents(pages);
  for (const page of pages) writePage(page);
}

/** Copies one page into Starlight's folder. */
export function writePage(page) {
  const text = readFileSync(join(DOCS, page), 'utf8');
  writeContent(toSlug(page) || 'index', withCodeLinks(text, page), page);
}

/**
 * Writes a page into Starlight's folder.
 *
 * @param slug its address below the base
 * @param page the file that its links are relative to
 */
export function writeContent(slug, text, page) {
  const file = join(CONTENT, `${slug}.md`);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, toContent(page, text, file));
}
