import { integerOf, type Option, type Values } from './command.ts';
import type { Page } from '../api/client.ts';

export const LIMIT: Option = {
  type: 'string',
  value: 'NUMBER',
  text: 'list only the newest NUMBER items (default 100)',
};

/** Maximum number of items that the mock returns at once. */
export const PAGE = 1_000;

const DEFAULT_LIMIT = 100;

export function limitOf(values: Values): number {
  return integerOf(values, 'limit', { min: 1, max: 1_000_000 }) ?? DEFAULT_LIMIT;
}

interface Item {
  readonly id: string | number;
}

interface PageFilter<T extends Item> {
  limit?: number | undefined;
  before?: T['id'] | undefined;
}

interface Listing<T extends Item, Filter extends object> {
  /** A list function of the client. */
  readonly list: (filter: Filter & PageFilter<T>) => Promise<Page<T>>;
  readonly filter: Filter;
  readonly limit: number;
  readonly order: 'newest first' | 'oldest first';
  /** A filter that the mock itself does not support. @default all items */
  readonly isWanted?: ((item: T) => boolean) | undefined;
}

/** Returns the newest `limit` matching items, in the order of the list. */
export async function listNewest<T extends Item, Filter extends object>({
  list,
  filter,
  limit,
  order,
  isWanted,
}: Listing<T, Filter>): Promise<T[]> {
  // If items are filtered out here, a page of `limit` items might not be enough.
  const page = isWanted ? PAGE : Math.min(limit, PAGE);
  let found: T[] = [];
  for await (const items of readPages(list, { ...filter, limit: page })) {
    const wanted = isWanted ? items.filter(isWanted) : items;
    found = order === 'newest first' ? [...found, ...wanted] : [...wanted, ...found];
    if (found.length >= limit) break;
  }
  return order === 'newest first' ? found.slice(0, limit) : found.slice(-limit);
}

/** Reads a long list page by page, newest page first. Items within a page keep the order of the list. */
export async function* readPages<T extends Item, Filter extends PageFilter<T>>(
  list: (filter: Filter) => Promise<Page<T>>,
  filter: Filter,
): AsyncGenerator<T[]> {
  for (let before: T['id'] | null | undefined; before !== null;) {
    const { items, next } = await list({ ...filter, before });
    yield items;
    before = next;
  }
}
