import { beforeEach, vi } from 'vitest';
import { begin, useWorld } from './world.ts';

export let warned: ReturnType<typeof vi.spyOn>;

export const CANCEL_URL = 'https://merchant.example/cancel';

/** Starts an attempt whose hosted page is loading. */
export async function start(options = {}) {
  const onCancel = vi.fn();
  const seen = await begin({ onCancel, cancelUrl: CANCEL_URL, ...options });
  return { seen, onCancel };
}

/** Creates browser doubles for each test of the file and records console warnings. */
export function useWindows(): void {
  useWorld();
  beforeEach(() => {
    warned = vi.spyOn(console, 'warn').mockImplementation(() => {});
  });
}
