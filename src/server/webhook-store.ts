/** What {@link WebhookStore.claim} found: nobody has it, it is done, or somebody is at it. */
export type WebhookClaim = 'new' | 'done' | 'in_progress';

/**
 * Remembers which events were handled, so that a copy is not handled again. The service delivers at
 * least once, and a copy may come days later or while the first is still being handled.
 *
 * A claim is a lease and not a lock: whoever claimed an event and then crashed loses it after
 * `leaseMs`, and the next copy is handled instead of being mistaken for a duplicate.
 *
 * All servers that receive for one endpoint must share one store. `claim` must be atomic among them:
 * of two at the same moment, one gets `new` and the other `in_progress`. Another endpoint needs another
 * store, table or prefix before its keys: an event has the same key at every endpoint, so in a shared
 * store whichever handler comes second takes it for a copy and never runs.
 *
 * @example
 * ```ts
 * import type { WebhookStore } from 'ofage/server';
 *
 * // With a client for your database that has an atomic "insert, or tell me what is there".
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
   * Takes an event for `leaseMs`, unless it is done or taken.
   *
   * @param key - the same for all copies of an event: its `eventId`, or its session and kind
   * @param token - names this claim; another one for every call
   * @param leaseMs - milliseconds after which the claim is void, an integer from 1000
   * @returns `new` when it is taken with this token now, also if an earlier claim has run out; `done`
   *   after `complete`; else `in_progress`
   */
  claim(key: string, token: string, leaseMs: number): Promise<WebhookClaim>;
  /**
   * Marks an event as done, whoever holds the claim: it was handled, and that stays true. Keep it for
   * eight days at least: the service may deliver an event again for seven, and retries for one more.
   */
  complete(key: string): Promise<void>;
  /**
   * Gives a claim back, so that the next copy is `new`. Does nothing when the event is done, or when
   * it is claimed with another token by now.
   */
  release(key: string, token: string): Promise<void>;
}
