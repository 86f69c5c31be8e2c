import type { ValidationResult } from 'ofage/server';

/**
 * The shop's state. Replace it with your database: `update` must be atomic, so that two tabs of one
 * shopper, or two deliveries of one webhook, cannot overwrite each other.
 */
export interface ShopStore {
  /** By our customer id. */
  readonly customers: Table<Customer>;
  /** By session id: what validate answered. It answers once, so this copy is all there is later. */
  readonly verifications: Table<ValidationResult>;
  /** By session id: signed word that a session was passed, and by which customer. */
  readonly completions: Table<Completion>;
  /** By event: what was handled before, and what is being handled. */
  readonly events: Table<EventClaim>;
  /** By our customer id, newest first. */
  readonly orders: Table<readonly Order[]>;
}

export interface Table<Row> {
  get(id: string): Promise<Row | undefined>;
  update(id: string, change: (row: Row | undefined) => Row): Promise<void>;
}

export interface Customer {
  readonly access: Access | null;
  /** The latest webhooks about this customer, newest first, for the page to show. */
  readonly webhooks: readonly ReceivedWebhook[];
}

export interface Access {
  /** ISO 8601. */
  readonly since: string;
  readonly sessionId: string;
  /** `webhook` only where the answer of validate got lost on its way: see verification.ts. */
  readonly by: 'validate' | 'webhook';
}

export interface Completion {
  readonly customerId: string | null;
}

export interface EventClaim {
  /** Token of the claim's holder; `null` once the event is done. */
  readonly token: string | null;
  /** Expiry of the claim. Milliseconds since the epoch. */
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
  /** Printed on the confirmation. */
  readonly number: string;
  /** ISO 8601. */
  readonly placedAt: string;
  readonly lines: readonly OrderLine[];
  /** Euro cents. */
  readonly totalCents: number;
  /** The check that allowed it. */
  readonly sessionId: string;
}

export interface OrderLine {
  readonly sku: string;
  readonly name: string;
  readonly priceCents: number;
  readonly quantity: number;
}

export const NEW_CUSTOMER: Customer = { access: null, webhooks: [] };

/** Keeps everything in memory: for tests, and for a demo that starts afresh. */
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
