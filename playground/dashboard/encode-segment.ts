/** One segment of a path. Half of a surrogate pair is no character: encodeURIComponent throws on it. */
export function encodeSegment(text: string): string {
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\uFFFD'));
}
