/** The path at which the mock serves the documentation. */
export const DOCS_PATH = '/docs';

/** Returns the address of a page in the site. */
export const toSiteUrl = (slug: string): string =>
  slug === '' ? `${DOCS_PATH}/` : `${DOCS_PATH}/${slug}/`;

/**
 * Returns the address of a file of `docs/` below the site's path: `guides/popup` for `guides/popup.md`, '' for
 * `README.md`.
 */
export function toSlug(file: string): string {
  const name = file.replace(/^\.\.\//, '').replace(/\.md$/, '');
  return name.replace(/(^|\/)README$/, '').toLowerCase();
}
