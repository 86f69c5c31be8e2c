/** Runs each function, also after one has failed. Then rejects with the first error, if there is one. */
export async function closeAll(
  closers: readonly (() => Promise<unknown> | undefined)[],
): Promise<void> {
  const errors: unknown[] = [];
  for (const close of closers) {
    try {
      await close();
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw errors[0];
}
