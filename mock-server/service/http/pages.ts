import * as v from 'valibot';
import type { InputSchema } from '../operations/operation.ts';
import { filterInteger } from '../operations/queries.ts';
import type { RoutedOperation } from '../operations/table.ts';
import { parseInput } from '../input/parse-input.ts';

const MAX_LIMIT = 1_000;
const DEFAULT_LIMIT = 100;

/** Returns the schema for the query or body of an operation over HTTP. */
export function toWireInput({ input, route }: RoutedOperation): InputSchema | undefined {
  if (!input || route.items !== 'page') return input;
  return v.object({ ...input.entries, limit: filterInteger('limit', 1, MAX_LIMIT) });
}

/**
 * Reads one page of a list. `next` is the `before` parameter for the page of older items, or null if there
 * are none.
 * @throws {ServiceError} invalid_body if the filter is invalid
 */
export async function readPage(
  operation: RoutedOperation,
  input: unknown,
  list: (filter: object) => Promise<unknown>,
): Promise<object> {
  const schema = toWireInput(operation);
  const filter: { limit?: number } = schema ? parseInput(schema, input) : {};
  const { limit = DEFAULT_LIMIT } = filter;
  // Fetches one more item than shown, to detect whether there is another page.
  const found = (await list({ ...filter, limit: limit + 1 })) as { readonly id: string | number }[];
  const isMore = found.length > limit;
  const isNewestFirst = operation.order !== 'oldest first';
  const items = isNewestFirst ? found.slice(0, limit) : found.slice(isMore ? 1 : 0);
  const oldest = isNewestFirst ? items.at(-1) : items[0];
  return { items, next: isMore && oldest ? oldest.id : null };
}
