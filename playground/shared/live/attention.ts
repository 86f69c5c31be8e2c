/** Whether anybody looks at this page, or waits for something that it does while it is hidden. */
export interface Attention {
  isAwake(): boolean;
  /** Keeps the page awake while it is hidden. @returns how to let it sleep again */
  hold(): () => void;
  /** @returns how to stop */
  onChange(listener: () => void): () => void;
}

/** @param page The document; without one, as in a test, the page is always awake. */
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
      // Wrapped, so that a function can listen twice.
      const own = (): void => listener();
      listeners.add(own);
      return () => {
        listeners.delete(own);
        if (listeners.size === 0) page?.removeEventListener('visibilitychange', notify);
      };
    },
  };
}
