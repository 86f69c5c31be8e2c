import { ATTEMPT_TIMEOUT_MS } from '../webhooks/webhook-limits.ts';

/**
 * Changes the arguments of `addFault` so that a `slow` fault takes no time. A webhook that would exceed the
 * attempt timeout gets no response instead.
 */
export function withoutWaits(operation: string, args: readonly unknown[]): readonly unknown[] {
  const [input] = args as [{ operation?: unknown; fault?: unknown; delayMs?: unknown }?];
  if (operation !== 'addFault' || input?.fault !== 'slow') return args;
  const delayMs = typeof input.delayMs === 'number' ? input.delayMs : Infinity;
  const isHang = input.operation === 'webhook' && delayMs >= ATTEMPT_TIMEOUT_MS;
  return [isHang ? { ...input, fault: 'hang', delayMs: 0 } : { ...input, delayMs: 0 }];
}
