import { beforeEach, vi } from 'vitest';
import { newOfAge, useWorld, watch, world } from './world.ts';

export let warned: ReturnType<typeof vi.spyOn>;

export const CANCEL_URL = 'https://merchant.example/cancel';

/** Starts an attempt whose hosted page is loading. */
export async function start(options = {}) {
  const onCancel = vi.fn();
  const seen = watch(newOfAge({ onCancel, cancelUrl: CANCEL_URL, ...options }).verify());
  await world.elapse(0);
  return { seen, onCancel };
}

/** Creates browser doubles for each test of the file and records console warnings. */
export function useWindows(): void {
  useWorld();
  beforeEach(() => {
    warned = vi.spyOn(console, 'warn').mockImplementation(() => {});
  });
}
