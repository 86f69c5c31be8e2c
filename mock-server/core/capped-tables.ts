import type { ApiFaultRow } from './fault-rows.ts';

/** The rows of the tables that keep only their newest rows: what the service was asked, and what it was told. */

/** A request to the API or to the hosted page's API, and its answer. Keys, tokens and secrets are left out. */
export interface RequestRow {
  /** `no` as text. */
  readonly id: string;
  /** Counts all requests from 1. */
  readonly no: number;
  /** Each has its own cap. */
  readonly surface: 'api' | 'hosted';
  /** Counts the requests to the surface from 1. */
  readonly surfaceNo: number;
  /** Virtual time. */
  readonly atMs: number;
  /** Real time of its arrival. */
  readonly realAtMs: number;
  /** Real time. */
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
  /** Shortened; null when it was larger than the service reads. */
  readonly requestBody: string | null;
  readonly responseHeaders: Readonly<Record<string, string>>;
  /** Shortened. */
  readonly responseBody: string;
}

/** What a merchant's side does with a result, which the service cannot see. */
export type ObservationKind = 'access_granted' | 'url_status_trusted' | 'webhook_processed';

/** Something that happened on the merchant's side, told by the merchant. */
export interface ObservationRow {
  /** `no` as text. */
  readonly id: string;
  /** Counts from 1. */
  readonly no: number;
  /** Virtual time. */
  readonly atMs: number;
  readonly kind: ObservationKind;
  readonly tenantId: string;
  readonly sessionId: string;
  readonly eventId: string | null;
  readonly by: string | null;
}

/** Tables that drop their oldest rows whenever new ones come. */
export const CAPPED_TABLES: ReadonlySet<string> = new Set(['requests', 'observations']);
