/** Returns the message of a thrown value, which may be anything. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
