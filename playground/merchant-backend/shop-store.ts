import type { ValidationResult } from 'ofage/server';

/**
 * The shop's state. Replace it with your database. `update` must be atomic, so that two tabs of one
 * shopper, or two deliveries of one webhook, cannot overwrite each other's changes.
 */
export interface ShopStore {
  /** Customers by the shop's customer id. */
  readonly customers: Table<Customer>;
  /** Results of validate, by session id. A session can be validated only once, so they are stored here. */
  readonly verifications: Table<ValidationResult>;
  /** Customers who passed according to a signed webhook, by session id. */
  readonly completions: Table<Completion>;
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
  /** The latest webhooks about this customer, newest first. The page shows them. */
  readonly webhooks: readonly ReceivedWebhook[];
}

export interface Access {
  /** ISO 8601. */
  readonly since: string;
  readonly sessionId: string;
  /** `webhook` only if the response of validate was lost: see verification.ts. */
  readonly by: 'validate' | 'webhook';
}

export interface Completion {
  readonly customerId: string | null;
}

export interface EventClaim {
  /** The token of the claim. `null` once the event is processed. */
  readonly token: string | null;
  /** The time when the claim expires, in milliseconds since the epoch. */
  readonly untilMs: number;
}

export interface ReceivedWebhook {
  /** ISO 8601. */
  readonly receivedAt: string;
  readonly eventId: string | null;
  readonly event: string;
  readonly sessionId: string;
  readonly duplicate: boolean;
}

export interface Order {
  /** The order number, shown on the confirmation. */
  readonly number: string;
  /** ISO 8601. */
  readonly placedAt: string;
  readonly lines: readonly OrderLine[];
  /** Euro cents. */
  readonly totalCents: number;
  /** The session that gave the customer access. */
  readonly sessionId: string;
}

export interface OrderLine {
  readonly sku: string;
  readonly name: string;
  readonly priceCents: number;
  readonly quantity: number;
}

export const NEW_CUSTOMER: Customer = { access: null, webhooks: [] };

/** Creates a store in memory, for tests and for a demo that starts empty. */
export function createMemoryStore(): ShopStore {
  return {
    customers: createMemoryTable(),
    verifications: createMemoryTable(),
    completions: createMemoryTable(),
    events: createMemoryTable(),
    orders: createMemoryTable(),
  };
}

export function createMemoryTable<Row>(): Table<Row> {
  const rows = new Map<string, Row>();
  return {
    get: async (id) => rows.get(id),
    update: async (id, change) => void rows.set(id, change(rows.get(id))),
  };
}
