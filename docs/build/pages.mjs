import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { toSlug } from '../../mock-server/help/docs-site.ts';
import { PAGES } from '../contents.mjs';
import { ERRORS, withCodeLinks } from '../../mock-server/help/code-tables.ts';
import { toContent, toExtension } from './markdown.mjs';
import { CONTENT, DOCS } from './paths.mjs';

/** Empties Starlight's folder and copies all pages into it. */
export function writePages() {
  rmSync(CONTENT, { recursive: true, force: true });
  for (const page of PAGES) writePage(page);
}

/** Copies one page into Starlight's folder. */
export function writePage(page) {
  const text = readFileSync(join(DOCS, page), 'utf8');
  writeContent(toSlug(page) || 'index', page === ERRORS ? withCodeLinks(text) : text, page);
}

/**
 * Writes a page into Starlight's folder.
 *
 * @param slug its address below the base
 * @param page the file that its links are relative to
 */
export function writeContent(slug, text, page) {
  const file = join(CONTENT, `${slug}${toExtension(text)}`);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, toContent(page, text, file));
}
