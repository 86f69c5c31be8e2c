import { assertInteger, assertOptions } from './option-checks.ts';
import type { WebhookStore } from './webhook-store.ts';

/**
 * The limits beyond which the store of {@link createMemoryWebhookStore} forgets a handled event. An unknown
 * option is refused.
 */
export interface MemoryWebhookStoreOptions {
  /**
   * Time for which a handled event is remembered. Milliseconds, an integer from 1 to 31_536_000_000 (a
   * year).
   * @default 691_200_000 (eight days: seven of redelivery and one of retries)
   */
  retentionMs?: number | undefined;
  /**
   * Maximum number of handled events to remember. Beyond it the oldest are forgotten, and a late copy of a
   * forgotten event is handled again. An integer from 1 to 10_000_000. An entry takes less than 200 bytes.
   * @default 100_000
   */
  maxEntries?: number | undefined;
}

const ACTION = 'Cannot create the webhook store';

/**
 * Creates a store in the memory of the process, for a single server and for tests. It is empty after a
 * restart and is not shared between servers, so a copy of an event may be handled again. If that is
 * harmful, write a store that uses your database.
 *
 * @throws {@link OfAgeError} with code `invalid_option`
 * @example
 * ```ts
 * import { createMemoryWebhookStore, createWebhookHandler } from 'ofage/server';
 *
 * export const webhooks = createWebhookHandler({
 *   secret: () => process.env['OFAGE_WEBHOOK_SECRET'] ?? '',
 *   store: createMemoryWebhookStore({ maxEntries: 1_000_000 }),
 *   onEvent: (event) => console.log(event.event),
 * });
 * ```
 */
export function createMemoryWebhookStore(options: MemoryWebhookStoreOptions = {}): WebhookStore {
  assertOptions(options, ACTION, ['retentionMs', 'maxEntries']);
  const { retentionMs = 691_200_000, maxEntries = 100_000 } = options;
  assertInteger(retentionMs, `${ACTION}: retentionMs`, 1, 31_536_000_000);
  assertInteger(maxEntries, `${ACTION}: maxEntries`, 1, 10_000_000);
  // A Map keeps the order of insertion, so each of the two maps begins with its oldest entries.
  const claims = new Map<string, { token: string; untilMs: number }>();
  const doneAtMs = new Map<string, number>();

  function forgetOld(nowMs: number): void {
    for (const [key, atMs] of doneAtMs) {
      if (doneAtMs.size <= maxEntries && atMs + retentionMs > nowMs) break;
      doneAtMs.delete(key);
    }
    // Deletes the expired claims of handlers that never ended.
    for (const [key, { untilMs }] of claims) {
      if (untilMs > nowMs) break;
      claims.delete(key);
    }
  }

  return {
    async claim(key, token, leaseMs) {
      const nowMs = Date.now();
      forgetOld(nowMs);
      if (doneAtMs.has(key)) return 'done';
      const held = claims.get(key);
      if (held && held.untilMs > nowMs) return 'in_progress';
      claims.delete(key);
      claims.set(key, { token, untilMs: nowMs + leaseMs });
      return 'new';
    },
    async complete(key) {
      claims.delete(key);
      doneAtMs.delete(key);
      doneAtMs.set(key, Date.now());
      forgetOld(Date.now());
    },
    async release(key, token) {
      if (claims.get(key)?.token === token) claims.delete(key);
    },
  };
}
