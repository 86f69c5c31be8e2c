/** Result of {@link WebhookStore.claim}: claimed now, already handled, or claimed by another call. */
export type WebhookClaim = 'new' | 'done' | 'in_progress';

/**
 * Remembers which events were handled, so that a copy is not handled again. The service delivers at least
 * once, and a copy may arrive days later or while the first is still being handled.
 *
 * A claim is a lease and not a lock. A server that claimed an event and crashed loses the claim after
 * `leaseMs`, so that the next copy is handled and not mistaken for a duplicate.
 *
 * All servers that receive for one endpoint must share one store. `claim` must be atomic among them: of two
 * concurrent calls, one gets `new` and the other `in_progress`. Each endpoint needs a separate store, table
 * or key prefix. An event has the same key at every endpoint, so with a shared store only one of two
 * endpoints would handle it.
 *
 * @example
 * ```ts
 * import type { WebhookStore } from 'ofage/server';
 *
 * // Logs every claim of another store.
 * export const logged = (store: WebhookStore): WebhookStore => ({
 *   ...store,
 *   async claim(key, token, leaseMs) {
 *     const claim = await store.claim(key, token, leaseMs);
 *     console.log(key, claim);
 *     return claim;
 *   },
 * });
 * ```
 */
export interface WebhookStore {
  /**
   * Claims an event for `leaseMs`, unless it is done or already claimed.
   *
   * @param key - the same for all copies of an event: its `eventId`, or its session and kind
   * @param token - identifies this claim; different in every call
   * @param leaseMs - milliseconds after which the claim is void, an integer from 1000
   * @returns `new` if the event is now claimed with this token, also if an earlier claim has expired;
   *   `done` after `complete`; otherwise `in_progress`
   */
  claim(key: string, token: string, leaseMs: number): Promise<WebhookClaim>;
  /**
   * Marks an event as done, even if the claim belongs to another call by now. Keep this mark for at least
   * eight days, because the service may redeliver an event for seven days and then retries for one more.
   */
  complete(key: string): Promise<void>;
  /**
   * Releases a claim, so that the next copy is `new`. Does nothing if the event is done or is claimed with
   * another token by now.
   */
  release(key: string, token: string): Promise<void>;
}
