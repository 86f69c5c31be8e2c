/**
 * The state that decides whether this page stays up to date. It does so while it is visible, or while other
 * code keeps it awake.
 */
export interface Attention {
  isAwake(): boolean;
  /** Keeps the page awake while it is hidden. @returns a function that releases this hold */
  hold(): () => void;
  /** Calls `listener` when `isAwake` may have changed. @returns a function that removes the listener */
  onChange(listener: () => void): () => void;
}

/** @param page The document. If it is null, as in a test, the page is always awake. */
export function createAttention(
  page: Pick<
    Document,
    'visibilityState' | 'addEventListener' | 'removeEventListener'
  > | null = globalThis.document ?? null,
): Attention {
  const listeners = new Set<() => void>();
  let holds = 0;
  const notify = (): void => {
    for (const listener of listeners) listener();
  };
  return {
    isAwake: () => holds > 0 || page === null || page.visibilityState === 'visible',
    hold() {
      holds += 1;
      notify();
      let isHeld = true;
      return () => {
        if (!isHeld) return;
        isHeld = false;
        holds -= 1;
        notify();
      };
    },
    onChange(listener) {
      if (listeners.size === 0) page?.addEventListener('visibilitychange', notify);
      // The wrapper allows the same function to be added twice.
      const own = (): void => listener();
      listeners.add(own);
      return () => {
        listeners.delete(own);
        if (listeners.size === 0) page?.removeEventListener('visibilitychange', notify);
      };
    },
  };
}
