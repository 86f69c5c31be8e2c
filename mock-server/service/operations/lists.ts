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

/** Returns the first `limit` matching rows. Stops iterating as soon as it has them. */
export function take<T>(rows: Iterable<T>, limit: number, isWanted: (row: T) => boolean): T[] {
  const taken: T[] = [];
  for (const row of rows) {
    if (taken.length >= limit) break;
    if (isWanted(row)) taken.push(row);
  }
  return taken;
}
