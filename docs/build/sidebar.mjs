import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CONTENTS } from '../contents.mjs';
import { toPlain } from './markdown.mjs';
import { isEntryOf, listPages } from './page-list.mjs';
import { DOCS, toSlug } from './paths.mjs';

/**
 * Returns Starlight's sidebar.
 *
 * @param generated the items of the entries that are not files, by their names in contents.mjs
 */
export function toSidebar(generated) {
  return CONTENTS.map(({ label, collapsed = false, pages }) => ({
    label,
    collapsed,
    items: pages.flatMap(
      (entry) =>
        generated[entry] ??
        listPages()
          .filter((page) => isEntryOf(entry, page))
          .map(toItem),
    ),
  }));
}

function toItem(page) {
  const slug = toSlug(page);
  return { label: toLabel(page), link: slug === '' ? '/' : `/${slug}/` };
}

/** Returns the title of a page up to a colon, because the sidebar is narrow. */
function toLabel(page) {
  const [first = ''] = readFileSync(join(DOCS, page), 'utf8').split('\n');
  const [label = ''] = toPlain(first.replace(/^# /, '')).split(': ');
  return label;
}
