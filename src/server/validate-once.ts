import { isOfAgeError } from './errors.ts';
import {
  type ResultStore,
  createMemoryResultStore,
  isFinal,
  readResult,
  saveResult,
  toKey,
} from './result-store.ts';
import type { ValidationResult } from './validation.ts';

/** Validates a session whose id has the right form. */
type Validate = (sessionId: string) => Promise<ValidationResult>;

/** Returns a function that asks the service once for each session. See {@link Client.validateOnce}. */
export function createValidateOnce(
  validate: Validate,
  sharedStore: ResultStore | undefined,
): Validate {
  const store = sharedStore ?? createMemoryResultStore();
  // The results that the store failed to save, because the service does not send them again.
  const unsaved = createMemoryResultStore();
  const running = new Map<string, Promise<ValidationResult>>();

  /** Joins the running request for a session, or starts one. */
  function join(sessionId: string): Promise<ValidationResult> {
    const key = toKey(sessionId);
    const earlier = running.get(key);
    if (earlier !== undefined) return earlier;
    const run = ask(sessionId, key).finally(() => running.delete(key));
    running.set(key, run);
    return run;
  }

  async function ask(sessionId: string, key: string): Promise<ValidationResult> {
    const stored = await readResult(store, key);
    if (stored !== undefined) return stored;
    const result = (await readResult(unsaved, key)) ?? (await validateUnlessUsed(sessionId, key));
    if (!isFinal(result)) return result;
    try {
      await saveResult(store, result);
    } catch (error) {
      await saveResult(unsaved, result);
      throw error;
    }
    return result;
  }

  /** Another process may have used the session up, and may be about to store the result. */
  async function validateUnlessUsed(sessionId: string, key: string): Promise<ValidationResult> {
    try {
      return await validate(sessionId);
    } catch (error) {
      const isUsed = isOfAgeError(error) && error.code === 'session_already_used';
      if (!isUsed || sharedStore === undefined) throw error;
      const result = await waitForResult(sharedStore, key);
      if (result === undefined) throw error;
      return result;
    }
  }

  return async (sessionId) => {
    const hasJoined = running.has(toKey(sessionId));
    const result = await join(sessionId);
    // The request began before this call, so the shopper may have finished since the service read "pending".
    return hasJoined && !isFinal(result) ? join(sessionId) : result;
  };
}

async function waitForResult(
  store: ResultStore,
  key: string,
): Promise<ValidationResult | undefined> {
  for (const waitMs of WAITS_MS) {
    await new Promise((resolve) => setTimeout(resolve, waitMs));
    const result = await readResult(store, key);
    if (result !== undefined) return result;
  }
  return undefined;
}

/** Two seconds in all, which is ample for one statement of a database. */
const WAITS_MS = [50, 100, 250, 600, 1000];
