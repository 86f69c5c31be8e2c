/**
 * Encodes a segment of a path, or a part of a query. JSON may carry half of a surrogate pair, which is not a
 * character, and encodeURIComponent throws on it.
 */
export function encodeSegment(text: string): string {
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\uFFFD'));
}
