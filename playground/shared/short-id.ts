/**
 * Returns the first eight characters of an id, which are usually enough to distinguish the ids on a page.
 */
export function toShortId(id: string): string {
  return id.slice(0, 8);
}
