import type { Context } from 'hono';
import * as v from 'valibot';
import { API_OPERATIONS } from '../rules/faults.ts';
import { choice } from '../rules/fields.ts';
import { parseInput } from '../rules/parse-input.ts';
import { respond } from './respond.ts';

/** The filters of lists, as they stand in an address. */

const text = (name: string) => v.optional(v.string(`${name} must be a string`));

const number = (name: string, min: number, max: number) => {
  const message = `${name} must be an integer from ${min} to ${max}`;
  return v.optional(
    v.pipe(
      v.string(message),
      v.regex(/^\d{1,15}$/, message),
      v.transform(Number),
      v.minValue(min, message),
      v.maxValue(max, message),
    ),
  );
};

export const MAX_LIMIT = 1_000;
const DEFAULT_LIMIT = 100;
const page = { before: text('before'), limit: number('limit', 1, MAX_LIMIT) };

const STATUSES = ['pending', 'verified', 'failed', 'cancelled', 'expired'] as const;

export const sessionQuery = v.object({
  tenantId: text('tenantId'),
  pairId: text('pairId'),
  status: v.optional(choice('status', STATUSES)),
  externalUserId: text('externalUserId'),
  ...page,
});

export const eventQuery = v.object({
  tenantId: text('tenantId'),
  sessionId: text('sessionId'),
  ...page,
});

export const deliveryQuery = v.object({ ...eventQuery.entries, endpointId: text('endpointId') });

export const requestQuery = v.object({
  tenantId: text('tenantId'),
  sessionId: text('sessionId'),
  operation: v.optional(choice('operation', API_OPERATIONS)),
  status: number('status', 100, 599),
  before: number('before', 1, Number.MAX_SAFE_INTEGER),
  limit: page.limit,
});

export const doctorQuery = v.object({ tenantId: text('tenantId'), sessionId: text('sessionId') });

/** @throws {ServiceError} invalid_body when the address asks for what there is not */
export function parseQuery<const S extends v.ObjectSchema<v.ObjectEntries, undefined>>(
  c: Context,
  schema: S,
): v.InferOutput<S> {
  return parseInput(schema, c.req.query());
}

/**
 * Answers with one page of a list. `next` is what to pass as `before` for the page of older items; null
 * when there are none.
 */
export async function respondPage<
  T extends { id: string | number },
  F extends { limit?: number | undefined },
>(
  c: Context,
  filter: F,
  list: (filter: F) => Promise<T[]>,
  order: 'newest first' | 'oldest first' = 'newest first',
): Promise<Response> {
  const { limit = DEFAULT_LIMIT } = filter;
  // One more than is shown tells whether there is another page.
  const found = await list({ ...filter, limit: limit + 1 });
  const isMore = found.length > limit;
  const isNewestFirst = order === 'newest first';
  const items = isNewestFirst ? found.slice(0, limit) : found.slice(isMore ? 1 : 0);
  const oldest = isNewestFirst ? items.at(-1) : items[0];
  return respond(c, 200, { items, next: isMore && oldest ? oldest.id : null });
}
