import { integerOf, type Option, type Values } from './command.ts';
import type { MockClient, Query } from './mock-client.ts';

export const LIMIT: Option = {
  type: 'string',
  value: 'NUMBER',
  text: 'the newest so many (default 100)',
};

/** The most that the mock gives at once. */
export const PAGE = 1_000;

const DEFAULT_LIMIT = 100;

export function limitOf(values: Values): number {
  return integerOf(values, 'limit', 1, 1_000_000) ?? DEFAULT_LIMIT;
}

/** What to list: which list, filtered how, and how it is ordered. */
export interface Listing<T> {
  readonly path: string;
  readonly query: Query;
  readonly limit: number;
  readonly order: 'newest first' | 'oldest first';
  /** For what the mock does not filter by itself. @default all */
  readonly isWanted?: ((item: T) => boolean) | undefined;
}

/** The newest so many that are wanted, in the order of the list. */
export async function listNewest<T>(
  mock: MockClient,
  { path, query, limit, order, isWanted }: Listing<T>,
): Promise<T[]> {
  // What is sorted out here must not use up the page.
  const page = isWanted ? PAGE : Math.min(limit, PAGE);
  let found: T[] = [];
  for await (const items of mock.pages<T>(path, { ...query, limit: page })) {
    const wanted = isWanted ? items.filter(isWanted) : items;
    found = order === 'newest first' ? [...found, ...wanted] : [...wanted, ...found];
    if (found.length >= limit) break;
  }
  return order === 'newest first' ? found.slice(0, limit) : found.slice(-limit);
}
