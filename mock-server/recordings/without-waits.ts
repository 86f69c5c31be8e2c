/**
 * Changes the arguments of `addFault` so that a `slow` fault takes no time. If a webhook exceeded the attempt
 * timeout, its recorded result is the timeout.
 */
export function withoutWaits(operation: string, args: readonly unknown[]): readonly unknown[] {
  const [input] = args as [{ fault?: unknown }?];
  if (operation !== 'addFault' || input?.fault !== 'slow') return args;
  return [{ ...input, delayMs: 0 }];
}
