import { createHash } from 'node:crypto';
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

/** What a document has around its content. */
export interface Frame {
  readonly links: BarLinks;
  /** The path of the font of the other pages. Null if they were not built. */
  readonly font: string | null;
}

/**
 * Responds with a page that loads only its font.
 * @param title Safe as HTML.
 * @param body HTML.
 */
export function respondDocument(
  status: number,
  { title, body, frame }: { title: string; body: string; frame: Frame },
): Response {
  return new Response(toDocument(title, body, frame), { status, headers: HEADERS });
}

/** Returns a link that leads on from the content of a document. */
export const toNextLink = (path: string, text: string): string =>
  `<p><a class="next" href="${path}">${text}</a></p>`;

export const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/** Shows the theme that a person has chosen in the other pages. A test compares its words with theirs. */
const THEME_SCRIPT = `try {
  const theme = localStorage.getItem('starlight-theme')
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.scheme = theme
} catch {}`;

const SCRIPT_HASH = createHash('sha256').update(THEME_SCRIPT).digest('base64');

const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; script-src 'sha256-${SCRIPT_HASH}'; style-src 'unsafe-inline'; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-cache',
};

/** The shield of the playground's bar. */
const SHIELD =
  '<svg width="18" height="18" viewBox="0 0 32 32" aria-hidden="true"><path fill="#6d73ff" d="M16 2l11 4v9c0 7-4.6 12.5-11 15C9.6 27.5 5 22 5 15V6z"/><path fill="none" stroke="#fff" stroke-width="3" stroke-linecap="round" stroke-linejoin="round" d="M10.5 16l4 4 7.5-8.5"/></svg>';

const toBar = (links: BarLinks): string => {
  const items = links.map(([name, path]) => `<a href="${path}">${name}</a>`).join('');
  return `<header><b>${SHIELD} OfAge</b>${items === '' ? '' : `<nav aria-label="Pages">${items}</nav>`}</header>`;
};

const toFontFace = (font: string | null): string =>
  font === null
    ? ''
    : `@font-face { font-family: Figtree; src: url('${font}') format('woff2'); font-weight: 300 900; font-display: swap }\n`;

const toDocument = (title: string, body: string, { links, font }: Frame): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<script>${THEME_SCRIPT}</script>
<title>${title} - OfAge</title>
<style>
${toFontFace(font)}${STYLES}</style>
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
  --local-sans: 'Figtree Fallback', system-ui, sans-serif;
  --sans: Figtree, var(--local-sans);
  --mono: ui-monospace, 'SF Mono', 'Cascadia Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace;
  --page: light-dark(#f3f4f9, #0d1017);
  --card: light-dark(#ffffff, #161a24);
  --raised: light-dark(#f6f7fb, #1d2230);
  --line: light-dark(#dfe3ee, #2b3244);
  --text: light-dark(#151a2b, #eceff7);
  --muted: light-dark(#545d75, #a6afc6);
  --accent: light-dark(#3b3ec2, #a7b0ff);
  --on-accent: light-dark(#ffffff, #12142e);
  --focus: light-dark(#1d4ed8, #93c5fd);
  --bar: light-dark(#151a2b, #080a10);
  --bar-text: #eceff7;
  --bar-muted: #b3bbd0;
  --bar-accent: #a7b0ff;
}
:root[data-scheme='light'] { color-scheme: light }
:root[data-scheme='dark'] { color-scheme: dark }
@font-face { font-family: 'Figtree Fallback'; src: local('Arial'), local('Liberation Sans'), local('Helvetica Neue'), local('Roboto'); ascent-override: 95%; descent-override: 25%; line-gap-override: 0% }
* { box-sizing: border-box }
:focus-visible { outline: 3px solid var(--focus); outline-offset: 2px }
body { margin: 0; background: var(--page); color: var(--text); font: 1rem/1.6 var(--sans); overflow-wrap: anywhere }
header { display: flex; flex-wrap: wrap; gap: 0 .75rem; align-items: center; padding: 0 clamp(.5rem, 2vw, 2rem); min-height: 2.75rem; background: var(--bar); color: var(--bar-text); font-size: .875rem }
header b { display: inline-flex; align-items: center; gap: .45rem; font-weight: 650 }
header a { display: inline-block; padding: .7rem clamp(.35rem, 1.5vw, .6rem); color: var(--bar-muted); text-decoration: none }
header a:hover { color: var(--bar-text) }
header :focus-visible { outline-color: var(--bar-accent) }
main { max-width: min(42rem, 100% - 2rem); margin: 1.5rem auto; padding: 1rem 1.5rem; background: var(--card); border: 1px solid var(--line); border-radius: .9rem }
main a { color: var(--accent) }
main .next { display: inline-block; margin-block: .75rem .25rem; padding: .45rem .85rem; border-radius: .55rem; background: var(--accent); color: var(--on-accent); font-weight: 550; text-decoration: none }
@media (forced-colors: active) { header, main .next { border: 1px solid } }
h1 { font-size: 1.5rem; margin: 0 0 .75rem } h2 { font-size: 1rem; margin: 1.25rem 0 0 } p { margin: .5rem 0 }
section > p:first-child { color: var(--muted) }
section + section { border-top: 1px solid var(--line); margin-top: 1.5rem; padding-top: 1rem }
code { background: var(--raised); border-radius: 4px; padding: .1em .3em; font: .9em var(--mono) }
`;
