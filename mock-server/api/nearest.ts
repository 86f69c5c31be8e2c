/** Finds the word that was most likely meant. Returns undefined if no word is similar. */
export function nearest(typed: string, words: readonly string[]): string | undefined {
  const lower = typed.toLowerCase();
  const begins = words.filter((word) => lower.length >= 3 && word.startsWith(lower));
  if (begins.length === 1) return begins[0];
  const [best] = words
    .map((word) => ({ word, distance: distanceOf(lower, word) }))
    .toSorted((a, b) => a.distance - b.distance);
  // Allows one typing error per three letters, but at least one. With more errors, it is probably a
  // different word.
  return best && best.distance <= Math.max(1, Math.floor(best.word.length / 3))
    ? best.word
    : undefined;
}

/** Returns the edit distance: the number of letters to add, drop, change or swap with their neighbour. */
function distanceOf(a: string, b: string): number {
  let before: number[] = [];
  let above = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row += 1) {
    const line = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const isSame = a[row - 1] === b[column - 1];
      const isSwapped = a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      line[column] = Math.min(
        (above[column] ?? 0) + 1,
        (line[column - 1] ?? 0) + 1,
        (above[column - 1] ?? 0) + (isSame ? 0 : 1),
        isSwapped ? (before[column - 2] ?? Infinity) + 1 : Infinity,
      );
    }
    before = above;
    above = line;
  }
  return above[b.length] ?? 0;
}
