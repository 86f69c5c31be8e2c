import { DOCS_URL } from '../api/brand.ts';
import { DOCS_PATH } from './docs-site.ts';
import { HELP } from './help-entries.ts';
import { nearest } from '../api/nearest.ts';
import type { HelpEntry } from './read-help.ts';

/** The path below which the mock serves a page for each code. */
export const HELP_PATH = '/help/';

/**
 * Responds with the page of a code, or with the list of all codes. Responds with 404 to an unknown code.
 * @param isPublic True on the public listener, which has neither the other pages nor the documentation.
 * @default false
 */
export function respondHelp(pathname: string, { isPublic = false } = {}): Response {
  const toPage = isPublic ? toPublicPage : toOwnPage;
  const code = pathname
    .replace(/^\/help\/?/, '')
    .replace(/\/$/, '')
    .slice(0, 64);
  if (code === '') return respond(200, toPage('All codes', toList()));
  const { entries, nearest } = findHelp(code);
  if (entries.length > 0) return respond(200, toPage(code, entries.map(toSection).join('')));
  const hint = nearest === undefined ? '' : `<p>Did you mean ${toLink(nearest)}?</p>`;
  return respond(
    404,
    toPage('Unknown code', `<p>No error and no finding has this code.</p>${hint}`),
  );
}

function toSection({ from, kind, cause, fix }: HelpEntry): string {
  return `<section><p>From ${toHtml(from)}. ${toHtml(kind)}</p>
<h2>Cause</h2><p>${toHtml(cause)}</p><h2>Fix</h2><p>${toHtml(fix)}</p></section>`;
}

function toList(): string {
  const sources = [...new Set(HELP.map(({ from }) => from))];
  return sources
    .map((source) => {
      const codes = new Set(HELP.filter(({ from }) => from === source).map(({ code }) => code));
      const items = [...codes].map((code) => `<li>${toLink(code)}</li>`);
      return `<section><h2>From ${toHtml(source)}</h2><ul>${items.join('')}</ul></section>`;
    })
    .join('');
}

const toLink = (code: string): string => `<a href="${HELP_PATH}${code}"><code>${code}</code></a>`;

/** Converts the code and the links of a cell of the documentation, which has no other markup. */
function toHtml(text: string): string {
  return escape(text)
    .replaceAll(/`([^`]+)`/g, '<code>$1</code>')
    .replaceAll(/\[([^\]]+)\]\(([^)\s]+)\)/g, '<a href="$2">$1</a>')
    .replaceAll(/\*\*([^*]+)\*\*/g, '<b>$1</b>');
}

const escape = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

function respond(status: number, page: string): Response {
  return new Response(page, { status, headers: HEADERS });
}

const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-cache',
};

const FOOTER = `<footer><p><a href="/">Shop</a> · <a href="/console/">Console</a> · <a href="${HELP_PATH}">All codes</a></p></footer>
`;

const toOwnPage = (title: string, body: string): string => toDocument(title, body, FOOTER);

const toPublicPage = (title: string, body: string): string =>
  toDocument(title, body.replaceAll(`href="${DOCS_PATH}/`, `href="${DOCS_URL}`), '');

const toDocument = (title: string, body: string, footer: string): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${title} - OfAge</title>
<style>
body { font: 1.05rem/1.6 system-ui; max-width: 42rem; margin: 2rem auto; padding: 0 1rem; overflow-wrap: anywhere }
h1 { font-size: 1.5rem } h2 { font-size: 1rem; margin: 1.5rem 0 0 } p { margin: .5rem 0 }
section + section { border-top: 1px solid; margin-top: 2rem; padding-top: 1rem }
code { background: color-mix(in srgb, currentcolor 9%, transparent); border-radius: 4px; padding: .1em .3em }
</style>
<main>
<h1>${title}</h1>
${body}
</main>
${footer}</html>
`;

/** The help about a code. If there is none, `nearest` is the code that was probably meant. */
interface FoundHelp {
  readonly entries: readonly HelpEntry[];
  readonly nearest: string | undefined;
}

/** Finds the help about a code, which may come from the SDK, the server kit and the doctor. */
export function findHelp(code: string): FoundHelp {
  const entries = HELP.filter((entry) => entry.code === code);
  const codes = [...new Set(HELP.map((entry) => entry.code))];
  return { entries, nearest: entries.length > 0 ? undefined : nearest(code, codes) };
}
