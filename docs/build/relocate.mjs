// Makes the site work at any address. Astro writes links that begin with the base, and this module makes
// them relative. Addresses of the published site lose the base, because that site has none.
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { DOCS_PATH } from '../../mock-server/help/docs-site.ts';
import { SITE } from './paths.mjs';
import { withCellLabels } from './table-labels.mjs';

/** An HTML attribute or a CSS url() that begins with the base. */
const ATTRIBUTE = new RegExp(`\\b(href|src|srcset|poster|data-[\\w-]+)="${DOCS_PATH}/`, 'g');
const CSS_URL = new RegExp(`url\\((["']?)${DOCS_PATH}/`, 'g');

/** The base as a literal of minified JavaScript. Only modules in the folder _astro contain it. */
const LITERAL = new RegExp(`([\`"'])${DOCS_PATH}/\\1`, 'g');
const FROM_MODULE = ' new URL("../",import.meta.url).pathname';

const CHANGES = {
  '.html': (text, up, font) =>
    withFont(withCellLabels(withHeadingOrder(text.replace(ATTRIBUTE, `$1="${up}`))), up, font),
  '.css': (text, up) => text.replace(CSS_URL, `url($1${up}`),
  '.js': (text) => text.replace(LITERAL, FROM_MODULE),
  '.txt': (text) => text,
  '.xml': (text) => text,
};

/** Replaces the OpenAPI plugin's headings of level 5, because they skip levels. */
const withHeadingOrder = (html) =>
  html.replace(/<h5( class="sl-openapi-examples-heading[^>]*>[^<]*)<\/h5>/g, '<p$1</p>');

/** Preloads the font, because `font-display: optional` does not show a font that loads late. */
function withFont(html, up, font) {
  const tag = `<link rel="preload" href="${up}_astro/${font}" as="font" type="font/woff2" crossorigin>`;
  return html.replace('<head>', `<head>${tag}`);
}

/** Makes the links in the files of a finished site relative. */
export function relocate(folder) {
  const [font] = globSync('*.woff2', { cwd: join(folder, '_astro') });
  for (const path of globSync('**/*.{html,css,js,txt,xml}', { cwd: folder })) {
    if (/^(playground|pagefind)\//.test(path)) continue;
    const file = join(folder, path);
    const before = readFileSync(file, 'utf8');
    const up = '../'.repeat(path.split('/').length - 1) || './';
    const after = CHANGES[posix.extname(path)](before, up, font).replaceAll(
      `${SITE}${DOCS_PATH}/`,
      `${SITE}/`,
    );
    if (after !== before) writeFileSync(file, after);
  }
}
