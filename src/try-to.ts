/** Runs what a browser may refuse: a missing class, a denied store, another origin's window. */
export const tryTo = <T>(action: () => T): T | undefined => {
  try {
    return action();
  } catch {
    // undefined
  }
};
