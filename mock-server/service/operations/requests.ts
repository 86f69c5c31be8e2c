import * as v from 'valibot';
import type { RequestControl, RequestFilter, RequestResource } from '../../api/requests.ts';
import type { Db } from '../../store/db.ts';
import { toIso } from '../../store/instant.ts';
import { API_OPERATIONS, type RequestRow } from '../../store/rows.ts';
import { choice, filterInteger, filterText, limit } from '../schemas/fields.ts';
import { apiFault, count, flag, instant, operation, text, textOrNull } from '../schemas/values.ts';
import { DEFAULT_LIMIT } from './lists.ts';
import { op, type OperationsOf } from './operation.ts';

const headers = v.record(text, text);

export const requestResource = v.strictObject({
  id: count,
  at: instant,
  realAt: instant,
  durationMs: count,
  method: text,
  path: text,
  operation: v.nullable(operation),
  credential: textOrNull,
  origin: textOrNull,
  isBrowser: flag,
  tenantId: textOrNull,
  sessionId: textOrNull,
  status: count,
  fault: v.nullable(apiFault),
  requestHeaders: headers,
  requestBody: textOrNull,
  responseHeaders: headers,
  responseBody: text,
});

export const requestOperations = {
  requests: op({
    summary: 'List requests to the API and to the hosted page’s API, newest first',
    input: v.object({
      tenantId: filterText('tenantId'),
      sessionId: filterText('sessionId'),
      operation: v.optional(choice('operation', API_OPERATIONS)),
      status: filterInteger('status', 100, 599),
      before: filterInteger('before', 1, Number.MAX_SAFE_INTEGER),
      limit,
    }),
    response: v.array(requestResource),
    async run({ flushRequests, transact }, filter) {
      await flushRequests();
      return transact((db) => listRequests(db, filter));
    },
  }),
} satisfies OperationsOf<RequestControl>;

/** Lists requests, newest first. */
export function listRequests(
  db: Db,
  { before = Infinity, limit = DEFAULT_LIMIT, ...columns }: RequestFilter = {},
): RequestResource[] {
  const wanted = Object.entries<unknown>(columns).filter(([, value]) => value !== undefined);
  return [...db.all('requests')]
    .filter(
      (row) =>
        row.no < before &&
        wanted.every(([column, value]) => row[column as keyof typeof columns] === value),
    )
    .sort((a, b) => b.no - a.no)
    .slice(0, limit)
    .map(toRequestResource);
}

export function toRequestResource(row: RequestRow): RequestResource {
  const { no, atMs, realAtMs, ...others } = row;
  const { id: _id, surface: _surface, surfaceNo: _no, isFromTool: _isFromTool, ...rest } = others;
  return {
    id: no,
    at: toIso(atMs),
    realAt: toIso(realAtMs),
    ...rest,
    requestHeaders: { ...row.requestHeaders },
    responseHeaders: { ...row.responseHeaders },
  };
}
