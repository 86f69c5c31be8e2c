import type { Db } from '../core/db.ts';
import type { ApiFaultRow, RequestRow } from '../core/tables.ts';
import { toIso } from './resources.ts';

/** A request as the control surface shows it: without anything that opens an account or a session. */
export interface RequestResource {
  /** Counts up from 1, and from 1 again after a reset. */
  id: number;
  at: string;
  /** Time of arrival by the computer's clock, not the mock's. */
  realAt: string;
  durationMs: number;
  method: string;
  path: string;
  operation: ApiFaultRow['operation'] | null;
  /** The first characters of the key or token. */
  credential: string | null;
  /** The `Origin` header: the page's, or the one that a server forwarded. Null without one. */
  origin: string | null;
  /**
   * True if the request's headers look like a browser's. MSW hides a page's origin, so there it is always
   * false.
   */
  isBrowser: boolean;
  tenantId: string | null;
  sessionId: string | null;
  status: number;
  /** The fault that was asked for, when there was one. */
  fault: ApiFaultRow['fault'] | null;
  /** By their names in lower case. */
  requestHeaders: Record<string, string>;
  /** At most 4,096 characters; null when it was larger than the service reads. */
  requestBody: string | null;
  /** By their names in lower case: what the service sets, and not what its host adds. */
  responseHeaders: Record<string, string>;
  responseBody: string;
}

export interface RequestFilter {
  tenantId?: string | undefined;
  sessionId?: string | undefined;
  operation?: ApiFaultRow['operation'] | undefined;
  status?: number | undefined;
  /** Only requests before this one. */
  before?: number | undefined;
  /** The newest so many. @default 100 */
  limit?: number | undefined;
}

/** Newest first. */
export function listRequests(
  db: Db,
  { before = Infinity, limit = 100, ...filter }: RequestFilter = {},
): RequestResource[] {
  return [...db.all('requests')]
    .filter((row) => row.no < before && isWanted(row, filter))
    .sort((a, b) => b.no - a.no)
    .slice(0, limit)
    .map(toRequestResource);
}

export function toRequestResource(row: RequestRow): RequestResource {
  return {
    id: row.no,
    at: toIso(row.atMs),
    realAt: toIso(row.realAtMs),
    durationMs: row.durationMs,
    method: row.method,
    path: row.path,
    operation: row.operation,
    credential: row.credential,
    origin: row.origin,
    isBrowser: row.isBrowser,
    tenantId: row.tenantId,
    sessionId: row.sessionId,
    status: row.status,
    fault: row.fault,
    requestHeaders: { ...row.requestHeaders },
    requestBody: row.requestBody,
    responseHeaders: { ...row.responseHeaders },
    responseBody: row.responseBody,
  };
}

type Wanted = Omit<RequestFilter, 'before' | 'limit'>;

function isWanted(row: RequestRow, wanted: Wanted): boolean {
  const { tenantId, sessionId, operation, status } = wanted;
  return (
    (tenantId === undefined || row.tenantId === tenantId) &&
    (sessionId === undefined || row.sessionId === sessionId) &&
    (operation === undefined || row.operation === operation) &&
    (status === undefined || row.status === status)
  );
}
