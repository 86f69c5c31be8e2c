import type { ApiFault, OperationName } from '../store/rows.ts';

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
  operation: OperationName | null;
  /** The first characters of the key or token. */
  credential: string | null;
  /** The `Origin` header of the page, or of a server that forwarded it. Null if there is none. */
  origin: string | null;
  /**
   * True if the request's headers look like a browser's. False for a page whose requests pass through MSW,
   * because MSW hides the page's origin.
   */
  isBrowser: boolean;
  /** The account of the key or token, also if it was refused. Null if it is unknown. */
  tenantId: string | null;
  sessionId: string | null;
  status: number;
  /** The injected fault, or null if there was none. */
  fault: ApiFault | null;
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
  operation?: OperationName | undefined;
  status?: number | undefined;
  /** Lists only requests with a smaller id than this. */
  before?: number | undefined;
  /** Maximum number of requests. The newest ones are returned. @default 100 */
  limit?: number | undefined;
}

export interface RequestControl {
  /**
   * Lists the last 500 requests to the API and the last 500 to the hosted page's API, newest first, without
   * secrets. Requests of no known account are separate: of each API, the last 100 are kept. Successful heartbeats of the hosted page are not recorded. The requests are part of the state.
   * Another process or tab usually sees them within a quarter of a second.
   */
  requests(filter?: RequestFilter): Promise<RequestResource[]>;
}
