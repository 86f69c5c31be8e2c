import { OfAgeError, reasonFor } from './errors.ts';
import { ShapeError, kindOf, toJsonObject } from './json-object.ts';
import { VALIDATE } from './operations.ts';
import { type ValidationResult, parseValidation } from './validation.ts';

/**
 * Remembers the final results of sessions for {@link Client.validateOnce}. All servers that are asked about
 * the same sessions must share one store, usually a table of their database, because a session can be
 * validated once. The account's clients may share it too.
 *
 * @example
 * ```ts
 * import { createClient, type ResultStore } from 'ofage/server';
 *
 * interface Table {
 *   find(id: string): Promise<string | undefined>;
 *   insertUnlessPresent(id: string, text: string): Promise<void>;
 * }
 *
 * export const createStore = (table: Table): ResultStore => ({
 *   async get(sessionId) {
 *     const text = await table.find(sessionId);
 *     return text === undefined ? undefined : JSON.parse(text);
 *   },
 *   set: (sessionId, result) => table.insertUnlessPresent(sessionId, JSON.stringify(result)),
 * });
 *
 * export const createClientWith = (table: Table) =>
 *   createClient({
 *     secretKey: () => process.env['OFAGE_SECRET_KEY'] ?? '',
 *     resultStore: createStore(table),
 *   });
 * ```
 */
export interface ResultStore {
  /**
   * Returns the result that `set` stored for a session, or `undefined` or `null` if there is none.
   *
   * @param sessionId - a UUID in lower case
   */
  get(sessionId: string): Promise<ValidationResult | null | undefined>;
  /**
   * Stores a final result, whose status is `verified`, `failed` or `cancelled`. It consists of plain JSON
   * values. It never changes, so a second call for a session may replace the first value or keep it.
   *
   * @param sessionId - a UUID in lower case
   */
  set(sessionId: string, result: ValidationResult): Promise<void>;
}

/** Tells whether a result can be remembered, because it will not change any more. */
export function isFinal({ status }: ValidationResult): boolean {
  return status !== 'pending';
}

/** Checks that the option has the methods of a store. */
export function assertResultStore(value: unknown, action: string): asserts value is ResultStore {
  const { get, set } = Object(value) as { get?: unknown; set?: unknown };
  if (typeof get === 'function' && typeof set === 'function') return;
  throw new OfAgeError(
    'invalid_option',
    `${action}: resultStore must have the methods get and set, got ${kindOf(value)}`,
  );
}

/** Creates a store in memory that keeps the newest results. An entry takes less than 1,000 bytes. */
export function createMemoryResultStore(maxEntries = 10_000): ResultStore {
  const results = new Map<string, ValidationResult>();
  return {
    async get(sessionId) {
      return results.get(sessionId);
    },
    async set(sessionId, result) {
      results.set(sessionId, result);
      // A Map keeps the order of insertion, so its first entry is the oldest.
      for (const oldest of results.keys()) {
        if (results.size <= maxEntries) break;
        results.delete(oldest);
      }
    },
  };
}

/**
 * Reads a stored result. It decides about access, so it is checked like a response of the service: it may
 * come from a table that other code writes as well.
 */
export async function readResult(
  store: ResultStore,
  sessionId: string,
): Promise<ValidationResult | undefined> {
  const stored = await callStore('get', () => store.get(sessionId));
  if (stored === undefined || stored === null) return undefined;
  try {
    const result = parseValidation(toJsonObject(stored, 'the result'), sessionId);
    if (isFinal(result)) return result;
    throw new ShapeError('the result is pending, which may have changed since');
  } catch (error) {
    if (!(error instanceof ShapeError)) throw error;
    throw new OfAgeError(
      'invalid_option',
      `${VALIDATE.action}: resultStore.get must return what set has stored, but ${error.message}`,
    );
  }
}

export function saveResult(store: ResultStore, result: ValidationResult): Promise<void> {
  return callStore('set', () => store.set(toKey(result.sessionId), result));
}

/** Returns the key of a session. The letter case of its id does not distinguish sessions. */
export function toKey(sessionId: string): string {
  return sessionId.toLowerCase();
}

async function callStore<T>(method: keyof ResultStore, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (cause) {
    throw new OfAgeError(
      'result_store_failed',
      `${VALIDATE.action}: ${reasonFor('result_store_failed')} in ${method}`,
      { cause },
    );
  }
}
