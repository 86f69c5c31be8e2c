/** Returns the sentence to show for anything that was thrown. */
export function formatError(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
