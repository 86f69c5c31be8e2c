import type { ApiFaultRow } from './fault-rows.ts';

/**
 * The rows of the tables that keep only their newest rows: the requests to the service, and the merchant's
 * observations.
 */

/**
 * A request to the API or to the hosted page's API, with its response. Secret keys, tokens and other
 * secrets are shortened or hidden.
 */
export interface RequestRow {
  /** The value of `no` as text. */
  readonly id: string;
  /** The number of the request, counted from 1. */
  readonly no: number;
  /** The API of the request. Each of the two has its own cap. */
  readonly surface: 'api' | 'hosted';
  /** The number among the requests to the same API, counted from 1. */
  readonly surfaceNo: number;
  /** Virtual time of arrival. */
  readonly atMs: number;
  /** Real time of arrival. */
  readonly realAtMs: number;
  /** Duration in real time. */
  readonly durationMs: number;
  readonly method: string;
  readonly path: string;
  readonly operation: ApiFaultRow['operation'] | null;
  /** The first characters of the key or token. */
  readonly credential: string | null;
  readonly origin: string | null;
  readonly isBrowser: boolean;
  readonly tenantId: string | null;
  readonly sessionId: string | null;
  readonly status: number;
  readonly fault: ApiFaultRow['fault'] | null;
  readonly requestHeaders: Readonly<Record<string, string>>;
  /** The body, at most 4,096 characters. Null if it was too large or incomplete. */
  readonly requestBody: string | null;
  readonly responseHeaders: Readonly<Record<string, string>>;
  /** The body, at most 4,096 characters. */
  readonly responseBody: string;
}

/** Actions on the merchant's side, which the service cannot see itself. */
export type ObservationKind = 'access_granted' | 'url_status_trusted' | 'webhook_processed';

/** An action on the merchant's side, as reported by the merchant. */
export interface ObservationRow {
  /** The value of `no` as text. */
  readonly id: string;
  /** The number of the observation, counted from 1. */
  readonly no: number;
  /** Virtual time of the action. */
  readonly atMs: number;
  readonly kind: ObservationKind;
  readonly tenantId: string;
  readonly sessionId: string;
  readonly eventId: string | null;
  readonly by: string | null;
}

export const CAPPED_TABLES: ReadonlySet<string> = new Set(['requests', 'observations']);
