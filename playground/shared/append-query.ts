import { encodeSegment } from './encode-segment.ts';

/**
 * Appends query parameters to a URL and leaves its existing text unchanged. `URL.searchParams` would
 * serialize the whole query again (`%20` becomes `+`, `~` becomes `%7E`), which breaks signed URLs.
 */
export function appendQuery(url: string, params: Readonly<Record<string, string>>): string {
  const added = Object.entries(params)
    .map(([name, value]) => `${encodeSegment(name)}=${encodeSegment(value)}`)
    .join('&');
  if (added === '') return url;
  const hashAt = url.indexOf('#');
  const base = hashAt < 0 ? url : url.slice(0, hashAt);
  const fragment = hashAt < 0 ? '' : url.slice(hashAt);
  return `${base}${separatorAfter(base)}${added}${fragment}`;
}

function separatorAfter(base: string): '' | '?' | '&' {
  const queryAt = base.indexOf('?');
  if (queryAt < 0) return '?';
  // The query begins at the first question mark. A second one at the end is part of the query.
  return queryAt === base.length - 1 || base.endsWith('&') ? '' : '&';
}
