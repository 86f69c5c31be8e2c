// Converts a page to Starlight's Markdown. The pages are plain Markdown, so that a code
// host can show them unchanged. Their first line is the title, and their links point to files.
import { existsSync } from 'node:fs';
import { dirname, join, posix, relative } from 'node:path';
import { DOCS_PATH, toSiteUrl, toSlug } from '../../mock-server/help/docs-site.ts';
import { PAGES } from '../contents.mjs';
import { DOCS, ROOT, SITE_TITLE, toSourceUrl } from './paths.mjs';

/** Returns a page in Starlight's Markdown. */
export function toContent(page, text, file) {
  const [first = '', ...rest] = text.split('\n');
  const title = /^# (.+)$/.exec(first)?.[1];
  if (title === undefined) throw new Error(`docs/${page} must begin with its title: # Title`);
  const body = rest.join('\n').trim();
  const parts = splitCode(body).map(({ isCode, text: part }) =>
    isCode ? part : withAsides(withFrames(withLinks(part, page, file)), page),
  );
  const matter = [`title: ${JSON.stringify(toPlain(title))}`];
  const description = toDescription(body);
  if (description !== '') matter.push(`description: ${JSON.stringify(description)}`);
  // Starlight adds the site's title to that of each page, which would be "OfAge | OfAge" on the first one.
  if (title === SITE_TITLE)
    matter.push(`head: [{ tag: title, content: "${SITE_TITLE}: age verification for the web" }]`);
  const content = isMdx(text) ? withTabs(parts.join('')) : parts.join('');
  return `---\n${matter.join('\n')}\n---\n\n${content}\n`;
}

const TABS = /^<!-- tabs: (\w+) -->\n([\s\S]*?)^<!-- \/tabs -->$/gm;

/** Tells whether a page has tabs. Starlight has a component for them, so such a page is written in MDX. */
const isMdx = (text) => /^<!-- tabs: /m.test(text);

/** Returns the extension of the file that a page is written to. */
export const toExtension = (text) => (isMdx(text) ? '.mdx' : '.md');

/** Changes sections between two comments into tabs, whose labels are the headings of the sections. */
function withTabs(content) {
  const tabs = content.replace(TABS, (_, key, sections) => {
    const [, ...parts] = sections.split(/^### (.+)$/m);
    const items = parts.flatMap((part, index) =>
      index % 2 === 0 ? [`<TabItem label="${part}">\n${parts[index + 1]}\n</TabItem>`] : [],
    );
    return `<Tabs syncKey="${key}">\n${items.join('\n')}\n</Tabs>`;
  });
  return `import { TabItem, Tabs } from '@astrojs/starlight/components';\n\n${tabs}`;
}

/** Splits a text into its code blocks and the parts between them, in order. */
function splitCode(text) {
  return text
    .split(/(^[ \t]*```[\s\S]*?^[ \t]*```[ \t]*$)/m)
    .map((part, index) => ({ isCode: index % 2 === 1, text: part }));
}

const LINK = /(!?)(\[(?:[^\][]|\[[^\]]*\])*\]\()([^)\s]+)(\))|(`+)[^`][\s\S]*?\5/g;

/** Changes links to files into links of the site or of the code host. Leaves inline code as it is. */
function withLinks(text, page, file) {
  return text.replace(LINK, (all, image, before, target, after) => {
    if (target === undefined || isAbsolute(target)) return all;
    const isImage = image !== '';
    return `${image}${before}${isImage ? toImage(target, page, file) : toUrl(target, page)}${after}`;
  });
}

const isAbsolute = (target) => /^(\w+:|#)/.test(target) || target.startsWith(`${DOCS_PATH}/`);

/** Returns the path of an image, relative to the written file. */
function toImage(target, page, file) {
  return relative(dirname(file), join(DOCS, dirname(page), target));
}

/**
 * Returns the URL of a linked page in the site, or of any other linked file at the code host.
 * @throws Error if the file does not exist
 */
function toUrl(target, page) {
  const [, path, hash = ''] = /^([^#]*)(#.*)?$/.exec(target) ?? [];
  const found = posix.join(posix.dirname(page), path);
  const asPage = found.endsWith('/') ? posix.join(found, 'README.md') : found;
  if (PAGES.includes(asPage)) return `${toSiteUrl(toSlug(asPage))}${hash}`;
  const source = posix.join('docs', found);
  if (!existsSync(join(ROOT, source)))
    throw new Error(`docs/${page} links to ${target}, which does not exist`);
  return toSourceUrl(source.replace(/\/$/, '')) + hash;
}

const ASIDES = {
  NOTE: 'note',
  TIP: 'tip',
  IMPORTANT: 'note',
  WARNING: 'caution',
  CAUTION: 'danger',
};

/** Changes a code host's alerts into Starlight's asides. */
function withAsides(text, page) {
  return text.replace(/^> \[!(\w+)\]\n((?:>.*(?:\n|$))+)/gm, (_, kind, quoted) => {
    if (!Object.hasOwn(ASIDES, kind)) {
      const known = Object.keys(ASIDES).join(', ');
      throw new Error(`docs/${page} has an alert [!${kind}]; the code host knows ${known}`);
    }
    const lines = quoted.trimEnd().replace(/^> ?/gm, '');
    return `:::${ASIDES[kind]}\n${lines}\n:::\n`;
  });
}

/** Changes a comment such as `<!-- playground: labs/#popup | The popup lab -->` into a frame. */
function withFrames(text) {
  return text.replace(/^<!-- playground: (\S+) \| (.+) -->$/gm, (_, path, title) => {
    const url = `${DOCS_PATH}/playground/${path.replace(/(^|\/)(#|$)/, '$1index.html$2')}`;
    return [
      '<figure class="playground-frame not-content">',
      `<iframe src="${url}" title="${title}" loading="lazy"></iframe>`,
      `<figcaption>${title}. <a href="${url}">Open it in its own page</a></figcaption>`,
      '</figure>',
    ].join('\n');
  });
}

/** Returns the first paragraph without its markup, or '' if the page begins with something else. */
function toDescription(body) {
  const [first = ''] = body.split('\n\n');
  return /^[\w`[*]/.test(first) ? toPlain(first.replaceAll('\n', ' ')) : '';
}

/** Removes the markup of a line. */
export const toPlain = (text) =>
  text
    .replace(/<[^>]*>/g, '')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[`*]/g, '');
