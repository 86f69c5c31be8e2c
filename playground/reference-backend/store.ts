import type { ValidationResult } from 'ofage/server';
import type { GrantedBy, Order, ReceivedWebhook } from './responses.ts';

/**
 * The shop's state. Replace it with your database. `update` must be atomic, so that two tabs of one
 * shopper, or two deliveries of one webhook, cannot overwrite each other's changes.
 */
export interface ShopStore {
  /** Customers by the shop's customer id. */
  readonly customers: Table<Customer>;
  /** Results of validate, by session id. A session can be validated only once, so they are stored here. */
  readonly verifications: Table<ValidationResult>;
  /** The addresses of the hosted page of the sessions that this server has created, by session id. */
  readonly checkUrls: Table<string>;
  /** Customers who passed according to a signed webhook, by session id. */
  readonly completions: Table<Completion>;
  /**
   * Customers who were given access, by session id. A row stays when the access is deleted, so that a late
   * webhook does not give it again.
   */
  readonly grants: Table<string>;
  /** Events that were processed or are being processed, by a key of the event. */
  readonly events: Table<EventClaim>;
  /** Orders by the shop's customer id, newest first. */
  readonly orders: Table<readonly Order[]>;
}

export interface Table<Row> {
  get(id: string): Promise<Row | undefined>;
  update(id: string, change: (row: Row | undefined) => Row): Promise<void>;
}

export interface Customer {
  readonly access: Access | null;
  /** The session that was started last, by this server or by the page. */
  readonly latestSessionId: string | null;
  /** The latest webhooks about this customer, newest first. The page shows them. */
  readonly webhooks: readonly ReceivedWebhook[];
}

export interface Access {
  /** Time at which the shopper passed, by the service's clock. ISO 8601. */
  readonly since: string;
  readonly sessionId: string;
  readonly by: GrantedBy;
}

export interface Completion {
  readonly customerId: string;
  /** ISO 8601. */
  readonly completedAt: string;
}

export interface EventClaim {
  /** The token of the claim. `null` once the event is processed. */
  readonly token: string | null;
  /** The time when the claim expires, in milliseconds since the epoch. */
  readonly untilMs: number;
}

export const NEW_CUSTOMER: Customer = { access: null, latestSessionId: null, webhooks: [] };

/** Creates a store in memory, for tests and for a demo that starts empty. */
export function createMemoryStore(): ShopStore {
  return {
    customers: createMemoryTable(),
    verifications: createMemoryTable(),
    checkUrls: createMemoryTable(),
    completions: createMemoryTable(),
    grants: createMemoryTable(),
    events: createMemoryTable(),
    orders: createMemoryTable(),
  };
}

/**
 * Creates a table in memory.
 * @param maxRows The number of rows to keep. The row that was changed longest ago is dropped, so that visitors
 *   of the demo cannot fill the memory.
 */
export function createMemoryTable<Row>(maxRows = 10_000): Table<Row> {
  // The row that was changed last is at the end.
  const rows = new Map<string, Row>();
  return {
    get: async (id) => rows.get(id),
    update: async (id, change) => {
      const row = change(rows.get(id));
      rows.delete(id);
      rows.set(id, row);
      const [oldest] = rows.keys();
      if (rows.size > maxRows && oldest !== undefined) rows.delete(oldest);
    },
  };
}
