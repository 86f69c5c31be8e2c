import { encodeSegment } from '../shared/encode-segment.ts';

/** The pages of the console, in the order of its menu. */
export const PAGES = [
  { id: 'overview', name: 'Overview' },
  { id: 'sessions', name: 'Sessions' },
  { id: 'timeline', name: 'Timeline' },
  { id: 'webhooks', name: 'Webhooks' },
  { id: 'keys', name: 'Keys' },
  { id: 'settings', name: 'Settings' },
  { id: 'simulate', name: 'Simulate' },
  { id: 'doctor', name: 'Doctor' },
] as const;

export type PageId = (typeof PAGES)[number]['id'];

/** A location in the console, for example `#sessions/ID` or `#sessions?status=failed`. */
export interface Route {
  readonly page: PageId;
  /** The id of the item on display, or null for the whole page. */
  readonly id: string | null;
  /** The query parameters. No value is empty. */
  readonly query: Readonly<Record<string, string>>;
}

/** The target of a link. Without an `id`, the link leads to the whole page. */
export interface RouteTarget {
  readonly page: PageId;
  readonly id?: string | null;
  readonly query?: Readonly<Record<string, string>>;
}

/**
 * Parses a URL fragment. An unknown page leads to the overview instead of an error, because users may type a
 * fragment by hand.
 */
export function parseRoute(hash: string): Route {
  const [, path = '', search = ''] = /^#?\/?([^?]*)\??(.*)$/s.exec(hash) ?? [];
  const [, name = '', rest = ''] = /^([^/]*)\/?(.*?)\/?$/s.exec(path) ?? [];
  const query = Object.fromEntries(
    [...new URLSearchParams(search)].filter(([, value]) => value !== ''),
  );
  const page = PAGES.find(({ id }) => id === name);
  if (!page) return { page: 'overview', id: null, query };
  return { page: page.id, id: decode(rest) || null, query };
}

export function toHash({ page, id, query = {} }: RouteTarget): string {
  const path = id == null ? page : `${page}/${encodeSegment(id)}`;
  const wanted = Object.entries(query).filter(([, value]) => value !== '');
  return `#${path}${wanted.length > 0 ? `?${new URLSearchParams(wanted)}` : ''}`;
}

/** Decodes a part of a fragment. A text that cannot be decoded, such as a lone per cent sign, stays. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
