/** Formats a count with its noun, for example `1 event`, `3 events` or `1,000 events`. */
export function toCount(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
}
