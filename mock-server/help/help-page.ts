import { DOCS_URL } from '../api/brand.ts';
import { DOCS_PATH } from './docs-site.ts';
import { escapeHtml, type Frame, respondDocument, toNextLink } from './document.ts';
import { HELP } from './help-entries.ts';
import { nearest } from '../api/nearest.ts';
import type { HelpEntry } from './read-help.ts';

/** The path below which the mock serves a page for each code. */
export const HELP_PATH = '/help/';

/**
 * Responds with the page of a code, or with the list of all codes. Responds with 404 to an unknown code.
 * @param frame Without links to other pages of the listener, the page leads to the published documentation.
 */
export function respondHelp(pathname: string, frame: Frame): Response {
  const hasPages = frame.links.length > 0;
  const respond = (status: number, title: string, html: string): Response => {
    const body = hasPages ? html : html.replaceAll(`href="${DOCS_PATH}/`, `href="${DOCS_URL}`);
    return respondDocument(status, { title, body, frame });
  };
  const all = hasPages
    ? toNextLink(HELP_PATH, 'All codes')
    : toNextLink(`${DOCS_PATH}/errors/`, 'All errors and findings');
  const code = decode(pathname.replace(/^\/help\/?/, '').replace(/\/$/, '')).slice(0, 64);
  if (code === '') return respond(200, 'All codes', toList());
  const { entries, nearest } = findHelp(code);
  if (entries.length > 0) return respond(200, code, entries.map(toSection).join('') + all);
  const unknown = `<p>No error and no finding has the code <code>${escapeHtml(code)}</code>.</p>`;
  const hint = nearest === undefined ? '' : `<p>Did you mean ${toLink(nearest)}?</p>`;
  return respond(404, 'Unknown code', unknown + hint + all);
}

/** Returns the text as it is if it is malformed. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
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
  return escapeHtml(text)
    .replaceAll(/`([^`]+)`/g, '<code>$1</code>')
    .replaceAll(/\[([^\]]+)\]\(([^)\s]+)\)/g, '<a href="$2">$1</a>')
    .replaceAll(/\*\*([^*]+)\*\*/g, '<b>$1</b>');
}

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
