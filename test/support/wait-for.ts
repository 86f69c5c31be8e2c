import { vi } from 'vitest';

/**
 * Waits until `check` throws nothing any longer, and returns its result. The limit is half a minute, because the
 * second of `vi.waitFor` is over too soon on a busy machine.
 */
export function waitFor<T>(check: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(check, 30_000);
}
