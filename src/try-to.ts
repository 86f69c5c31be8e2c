/**
 * Runs an action that the browser may refuse: a missing class, a denied store, a cross-origin window.
 * Returns undefined if it throws.
 */
export const tryTo = <T>(action: () => T): T | undefined => {
  try {
    return action();
  } catch {}
};
