/** Lists the first three distinct texts and the number of further ones. */
export function some(texts: readonly string[]): string {
  const distinct = [...new Set(texts)];
  const shown = distinct.slice(0, 3);
  const more = distinct.length - shown.length;
  return more === 0 ? join(shown) : `${shown.join(', ')} and ${more} more`;
}

/** Joins texts: `a, b and c`. */
export function join(texts: readonly string[]): string {
  return texts.length < 2 ? texts.join('') : `${texts.slice(0, -1).join(', ')} and ${texts.at(-1)}`;
}

/** Formats a duration for a sentence: `240 ms`, `1.2 s`, `12 min`, `3 h`. */
export function duration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${shorten(ms / 1_000)} s`;
  return ms < 7_200_000 ? `${shorten(ms / 60_000)} min` : `${shorten(ms / 3_600_000)} h`;
}

/** Counts equal texts and lists the most frequent first: `500 (3×), timeout (1×)`. */
export function tally(texts: readonly (string | number)[]): string {
  const counts = new Map<string | number, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .map(([text, n]) => `${text} (${n}×)`)
    .join(', ');
}

function shorten(value: number): string {
  return String(value < 10 ? Math.round(value * 10) / 10 : Math.round(value));
}
