/** Returns the first characters of an id, which distinguish it from the other ids on the page. */
export function toShortId(id: string): string {
  return id.slice(0, 8);
}
