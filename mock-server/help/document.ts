import { DOCS_PATH } from './docs-site.ts';

/** The links of a document's bar: the other pages of the same server. Empty on the public listener. */
export type BarLinks = readonly (readonly [name: string, path: string])[];

/** What a server has beside the console. */
export interface Extras {
  readonly hasDocs: boolean;
  /** True if it runs the demo shop, whose server the labs need too. */
  readonly hasDemo: boolean;
}

/** Returns the links of the bar on the main listener. */
export function toBarLinks({ hasDocs, hasDemo }: Extras): BarLinks {
  const links: readonly (BarLinks[number] | false)[] = [
    hasDemo && ['Shop', '/'],
    ['Console', '/console/'],
    hasDemo && ['Labs', '/labs/'],
    ['All codes', '/help/'],
    hasDocs && ['Docs', `${DOCS_PATH}/`],
  ];
  return links.filter((link) => link !== false);
}

/**
 * Responds with a page that loads nothing.
 * @param title Safe as HTML.
 * @param body HTML.
 */
export function respondDocument(
  status: number,
  { title, body, links }: { title: string; body: string; links: BarLinks },
): Response {
  return new Response(toDocument(title, body, links), { status, headers: HEADERS });
}

export const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-cache',
};

const toBar = (links: BarLinks): string => {
  const items = links.map(([name, path]) => `<a href="${path}">${name}</a>`).join('');
  return `<header><b>OfAge</b>${items === '' ? '' : `<nav aria-label="Pages">${items}</nav>`}</header>`;
};

const toDocument = (title: string, body: string, links: BarLinks): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title} - OfAge</title>
<style>
${STYLES}</style>
${toBar(links)}
<main>
<h1>${title}</h1>
${body}
</main>
</html>
`;

/** The tokens are those of the playground, which this package does not import. A test compares them. */
const STYLES = `:root {
  color-scheme: light dark;
  --page: light-dark(#f3f4f9, #0d1017);
  --card: light-dark(#ffffff, #161a24);
  --raised: light-dark(#f6f7fb, #1d2230);
  --line: light-dark(#dfe3ee, #2b3244);
  --text: light-dark(#151a2b, #eceff7);
  --muted: light-dark(#545d75, #a6afc6);
  --accent: light-dark(#3b3ec2, #a7b0ff);
  --bar: light-dark(#151a2b, #080a10);
  --bar-text: #eceff7;
  --bar-muted: #b3bbd0;
  --bar-accent: #a7b0ff;
}
body { margin: 0; background: var(--page); color: var(--text); font: 1rem/1.6 Figtree, system-ui, sans-serif; overflow-wrap: anywhere }
header { display: flex; flex-wrap: wrap; gap: 0 1rem; align-items: center; padding: 0 1rem; min-height: 2.6rem; background: var(--bar); color: var(--bar-text); font-size: .875rem }
header a { display: inline-block; padding: .6rem; color: var(--bar-muted); text-decoration: none }
header a:hover { color: var(--bar-text) }
header :focus-visible { outline-color: var(--bar-accent) }
@media (max-width: 30rem) { header b:not(:last-child) { display: none } }
main { max-width: 42rem; margin: 1.5rem auto; padding: 1rem 1.5rem; background: var(--card); border: 1px solid var(--line); border-radius: .9rem }
main a { color: var(--accent) }
h1 { font-size: 1.5rem; margin: 0 0 .75rem } h2 { font-size: 1rem; margin: 1.25rem 0 0 } p { margin: .5rem 0 }
section > p:first-child { color: var(--muted) }
section + section { border-top: 1px solid var(--line); margin-top: 1.5rem; padding-top: 1rem }
code { background: var(--raised); border-radius: 4px; padding: .1em .3em; font: .9em ui-monospace, Menlo, Consolas, monospace }
`;
