/**
 * Encodes a path segment or a part of a query. Replaces lone surrogates, which JSON may contain, because
 * encodeURIComponent throws on them.
 */
export function encodeSegment(text: string): string {
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\uFFFD'));
}
