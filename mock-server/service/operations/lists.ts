import { ServiceError } from '../../store/errors.ts';
import { filterText, limit } from '../schemas/fields.ts';

/** The fields of a filter that select one page of a list. */
export const pageFilter = { before: filterText('before'), limit };

/** Number of items of a list without a limit. */
export const DEFAULT_LIMIT = 100;

export function toMatch<Column extends string>(column: Column, value: string | undefined) {
  return value === undefined ? undefined : { column, value };
}

/**
 * @throws {ServiceError} invalid_body if `rows` is null, which means that `before` is unknown. An empty
 *   page instead would end the paging without an error.
 */
export function assertPage<T>(rows: Iterable<T> | null, before: string | undefined): Iterable<T> {
  if (rows) return rows;
  const sentence = `before must be the id of an item of this list, got "${before}"`;
  throw new ServiceError('invalid_body', sentence, [sentence]);
}

/**
 * Returns a function that tells whether one of the ids begins with the text, or one of the names contains
 * it. Ignores case, and spaces around the text. An empty text matches everything.
 */
export function createTextMatch(
  text = '',
): (ids: readonly string[], names: readonly (string | null | undefined)[]) => boolean {
  const wanted = text.trim().toLowerCase();
  if (wanted === '') return () => true;
  return (ids, names) =>
    ids.some((id) => id.toLowerCase().startsWith(wanted)) ||
    names.some((name) => name?.toLowerCase().includes(wanted));
}

/** Returns the first `limit` matching rows. Stops iterating as soon as it has them. */
export function take<T>(rows: Iterable<T>, limit: number, isWanted: (row: T) => boolean): T[] {
  const taken: T[] = [];
  for (const row of rows) {
    if (taken.length >= limit) break;
    if (isWanted(row)) taken.push(row);
  }
  return taken;
}
