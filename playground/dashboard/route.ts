import { encodeSegment } from '../shared/encode-segment.ts';

/** The dashboard's sections, in the order of its menu. */
export const SECTIONS = [
  { id: 'overview', name: 'Overview' },
  { id: 'sessions', name: 'Sessions' },
  { id: 'keys', name: 'API keys' },
  { id: 'webhooks', name: 'Webhooks' },
  { id: 'emails', name: 'Emails' },
  { id: 'settings', name: 'Settings' },
] as const;

export type SectionId = (typeof SECTIONS)[number]['id'];

/** A location in the dashboard, for example `#sessions/ID` or `#sessions?status=failed`. */
export interface Route {
  readonly section: SectionId;
  /** The id of the item on display, or null for the whole section. */
  readonly id: string | null;
  /** The query parameters. No value is empty. */
  readonly query: Readonly<Record<string, string>>;
}

/**
 * Parses a URL fragment. An unknown section leads to the overview instead of an error, because users may
 * type a fragment by hand.
 */
export function parseRoute(hash: string): Route {
  const text = hash.replace(/^#\/?/, '');
  const queryAt = text.indexOf('?');
  const path = queryAt < 0 ? text : text.slice(0, queryAt);
  const slashAt = path.indexOf('/');
  const name = slashAt < 0 ? path : path.slice(0, slashAt);
  const section = SECTIONS.find(({ id }) => id === name);
  const query = queryAt < 0 ? {} : parseQuery(text.slice(queryAt + 1));
  if (!section) return { section: 'overview', id: null, query };
  const id = slashAt < 0 ? '' : decode(path.slice(slashAt + 1).replace(/\/$/, ''));
  return { section: section.id, id: id === '' ? null : id, query };
}

export function toHash({ section, id, query = {} }: RouteTarget): string {
  const path = id == null ? section : `${section}/${encodeSegment(id)}`;
  const wanted = Object.entries(query).filter(([, value]) => value !== '');
  return `#${path}${wanted.length > 0 ? `?${new URLSearchParams(wanted)}` : ''}`;
}

/** The target of a link. Without an `id`, the link leads to the whole section. */
export interface RouteTarget {
  readonly section: SectionId;
  readonly id?: string | null;
  readonly query?: Readonly<Record<string, string>>;
}

function parseQuery(text: string): Record<string, string> {
  return Object.fromEntries([...new URLSearchParams(text)].filter(([, value]) => value !== ''));
}

/**
 * Decodes a part of a fragment. Users may type a fragment by hand, so a text that cannot be decoded, such
 * as a lone per cent sign, is returned unchanged.
 */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
