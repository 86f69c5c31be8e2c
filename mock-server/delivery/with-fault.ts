import { sleep, type RealClock } from '../core/clock.ts';
import type { WebhookFaultRow } from '../core/tables.ts';
import type { Sender, WebhookFailure, WebhookResult } from './sender.ts';

/** What an attempt needs to know of a fault. */
type DeliveryFault = Pick<WebhookFaultRow, 'fault' | 'delayMs'>;

/**
 * A sender whose receiver does what was asked for, whatever it does in truth. Only a slow one and one whose
 * answer is lost get the request at all; as the service cannot tell a lost answer from a lost request, the
 * latter gets the event again.
 */
export function withFault(sender: Sender, fault: DeliveryFault | null, clock: RealClock): Sender {
  if (!fault) return sender;
  return { send: (request) => play(fault, request, sender, clock) };
}

async function play(
  { fault, delayMs }: DeliveryFault,
  request: Parameters<Sender['send']>[0],
  sender: Sender,
  clock: RealClock,
): Promise<WebhookResult> {
  switch (fault) {
    case 'slow': {
      const timeoutMs = request.timeoutMs - delayMs;
      // In real time, as that is what an attempt's limit is measured in.
      await sleep(clock, Math.min(delayMs, request.timeoutMs));
      const isOver = timeoutMs <= 0 || request.signal?.aborted === true;
      return isOver ? toFailure('timeout') : sender.send({ ...request, timeoutMs });
    }
    case 'duplicate': {
      const result = await sender.send(request);
      const { address, hops } = result;
      const isAccepted = result.kind === 'response' && result.status >= 200 && result.status < 300;
      return isAccepted ? { kind: 'failure', error: 'reset', address, hops } : result;
    }
    case 'hang':
      return toFailure('timeout');
    case 'reset':
      return toFailure('reset');
    case '401':
    case '410':
    case '429':
    case '500':
    case '503':
      return { kind: 'response', status: Number(fault), retryAfter: null, ...NOWHERE };
  }
}

const NOWHERE = { address: null, hops: 0 };

function toFailure(error: WebhookFailure): WebhookResult {
  return { kind: 'failure', error, ...NOWHERE };
}
