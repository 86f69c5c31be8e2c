import type { CarelessCustomer } from './careless-shop.ts';
import type { KeptWebhook, ReceiverState } from './lab-plan.ts';
import { createMemoryTable, type Table } from '../reference-backend/store.ts';

/** The state of the playground's labs, stored apart from the shop's. */
export interface LabStore {
  /** The receiver's state, in the row `receiver`. */
  readonly receiver: Table<ReceiverState>;
  /**
   * The shop's last webhooks, newest first, in the row `shop`. The attack lab uses them as if they had been
   * read from a log.
   */
  readonly captured: Table<readonly KeptWebhook[]>;
  /** The careless shop's customers, by id. */
  readonly careless: Table<CarelessCustomer>;
  /**
   * `refuses` is true if the shop responds to every webhook with 401, as with a wrong secret. Stored in the
   * row `shop`.
   */
  readonly refusal: Table<{ readonly refuses: boolean }>;
}

/** The number of customers of the careless shop, to which anyone can send webhooks about any customer. */
const CARELESS_CUSTOMERS = 500;

export function createMemoryLabStore(): LabStore {
  return {
    receiver: createMemoryTable(),
    captured: createMemoryTable(),
    careless: createMemoryTable(CARELESS_CUSTOMERS),
    refusal: createMemoryTable(),
  };
}
