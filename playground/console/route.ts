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
  // Notices were a page of their own once, named after the emails that report them.
  const page = PAGES.find(({ id }) => id === (name === 'emails' ? 'webhooks' : name));
  if (!page) return { page: 'overview', id: null, query };
  return { page: page.id, id: decode(rest) || null, query };
}

export function toHash({ page, id, query = {} }: RouteTarget): string {
  const path = id == null ? page : `${page}/${encodeSegment(id)}`;
  const wanted = Object.entries(query).filter(([, value]) => value !== '');
  return `#${path}${wanted.length > 0 ? `?${new URLSearchParams(wanted)}` : ''}`;
}

/**
 * Returns the fragment of the console's page that replaces an old page with its fragment: `/dashboard/#…`,
 * `/inspector/#SESSION?text=…` or `/doctor/#SESSION?tenant=…&since=…&labs`.
 */
export function replaceOldAddress(oldPage: string, hash: string): string {
  if (oldPage === 'dashboard') return hash;
  const [, path = '', search = ''] = /^#?\/?([^?]*)\??(.*)$/s.exec(hash) ?? [];
  const params = new URLSearchParams(search);
  const query = {
    session: decode(path),
    text: params.get('text') ?? '',
    account: params.get('tenant') ?? '',
    since: params.get('since') ?? '',
    labs: params.has('labs') ? '1' : '',
  };
  return toHash({ page: oldPage === 'doctor' ? 'doctor' : 'timeline', query });
}

/** Decodes a part of a fragment. A text that cannot be decoded, such as a lone per cent sign, stays. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
