/** Returns what lists and titles call an account: its name, or its id if it has none. */
export function toAccountLabel({ id, name }: { id: string; name: string }): string {
  return name || id;
}
