import type { Db } from '../store/db.ts';
import type { ApiFaultRow, RequestRow } from '../store/tables.ts';
import { toIso } from './resources.ts';

/** A request as the control API shows it, without secrets. */
export interface RequestResource {
  /** A number that counts up from 1, and starts again after a reset. */
  id: number;
  at: string;
  /** Time of arrival by the computer's clock, not the service's. */
  realAt: string;
  durationMs: number;
  method: string;
  path: string;
  operation: ApiFaultRow['operation'] | null;
  /** The first characters of the key or token. */
  credential: string | null;
  /** The `Origin` header of the page, or of a server that forwarded it. Null if there is none. */
  origin: string | null;
  /**
   * True if the request's headers look like a browser's. False for a page whose requests pass through MSW,
   * because MSW hides the page's origin.
   */
  isBrowser: boolean;
  tenantId: string | null;
  sessionId: string | null;
  status: number;
  /** The injected fault, or null if there was none. */
  fault: ApiFaultRow['fault'] | null;
  /** Keyed by header name, in lower case. */
  requestHeaders: Record<string, string>;
  /** The body, at most 4,096 characters. Null if it was incomplete or exceeded the service's limit. */
  requestBody: string | null;
  /**
   * Keyed by header name, in lower case. Contains only the headers that the service sets, not those that
   * its host adds.
   */
  responseHeaders: Record<string, string>;
  responseBody: string;
}

/** The requests to list. An omitted field does not restrict the list, except `limit`. */
export interface RequestFilter {
  tenantId?: string | undefined;
  sessionId?: string | undefined;
  operation?: ApiFaultRow['operation'] | undefined;
  status?: number | undefined;
  /** Lists only requests with a smaller id than this. */
  before?: number | undefined;
  /** Maximum number of requests. The newest ones are returned. @default 100 */
  limit?: number | undefined;
}

/** Lists requests, newest first. */
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
