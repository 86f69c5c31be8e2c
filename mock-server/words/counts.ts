/** Formats a number with thousands separators, for example `1,432`. */
export function formatNumber(count: number): string {
  return count.toLocaleString('en');
}

/** Formats a count with its noun, for example `1 event`, `3 events` or `1,000 events`. */
export function toCount(count: number, noun: string): string {
  return `${formatNumber(count)} ${noun}${count === 1 ? '' : 's'}`;
}
