import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { toSlug } from '../../mock-server/help/docs-site.ts';
import { CONTENTS } from '../contents.mjs';
import { toPlain } from './markdown.mjs';
import { DOCS } from './paths.mjs';

/**
 * Returns Starlight's sidebar.
 *
 * @param generated the items of the entries that are not files, by their names in contents.mjs
 */
export const toSidebar = (generated) =>
  CONTENTS.map(({ label, pages }) => ({
    label,
    items: pages.flatMap((entry) => generated[entry] ?? toItem(entry)),
  }));

function toItem(page) {
  const slug = toSlug(page);
  const [title = ''] = readFileSync(join(DOCS, page), 'utf8').split('\n');
  return { label: toPlain(title.replace(/^# /, '')), link: slug === '' ? '/' : `/${slug}/` };
}
