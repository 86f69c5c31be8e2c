/**
 * Changes the arguments of `addFault` so that a `slow` fault takes no time. The delay is not needed, because
 * the recorded result already shows whether the attempt timed out.
 */
export function withoutWaits(operation: string, args: readonly unknown[]): readonly unknown[] {
  const [input] = args as [{ fault?: unknown }?];
  if (operation !== 'addFault' || input?.fault !== 'slow') return args;
  return [{ ...input, delayMs: 0 }];
}
