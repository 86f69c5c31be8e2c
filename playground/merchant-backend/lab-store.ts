import type { CarelessCustomer } from './careless-shop.ts';
import type { KeptWebhook, ReceiverState } from './lab-plan.ts';
import { createMemoryTable, type Table } from './shop-store.ts';

/** State of the playground's labs, beside the shop's own. */
export interface LabStore {
  /** One row, `receiver`. */
  readonly receiver: Table<ReceiverState>;
  /** One row, `shop`: the last webhooks that the shop got, newest first, as an attacker may have read them. */
  readonly captured: Table<readonly KeptWebhook[]>;
  /** The careless shop's customers, by id. */
  readonly careless: Table<CarelessCustomer>;
  /** One row, `shop`: whether the shop answers every webhook with 401, as with a wrong secret. */
  readonly refusal: Table<{ readonly refuses: boolean }>;
}

export function createMemoryLabStore(): LabStore {
  return {
    receiver: createMemoryTable(),
    captured: createMemoryTable(),
    careless: createMemoryTable(),
    refusal: createMemoryTable(),
  };
}
