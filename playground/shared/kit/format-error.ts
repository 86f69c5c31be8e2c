/** Returns the message to show for a thrown value of any type. */
export function formatError(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
