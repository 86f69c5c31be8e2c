/** Does the same work again and again, never twice at once. */
export interface Reloader {
  /** Resolves when the work was done once more from its beginning. Asked while it runs, it runs again. */
  ask(): Promise<void>;
}

/** @param work Must not reject. */
export function createReloader(work: () => Promise<void>): Reloader {
  let running: Promise<void> | null = null;
  let next: Promise<void> | null = null;

  function run(): Promise<void> {
    running = work().finally(() => {
      running = null;
    });
    return running;
  }

  return {
    ask() {
      if (!running) return run();
      next ??= running.then(() => {
        next = null;
        return run();
      });
      return next;
    },
  };
}
