import { sleep, type RealClock } from '../store/clock.ts';
import type { WebhookFaultRow } from '../store/tables.ts';
import type { Sender, WebhookFailure, WebhookResult } from './sender.ts';

/** The part of a fault that matters for an attempt. */
type DeliveryFault = Pick<WebhookFaultRow, 'fault' | 'delayMs'>;

/**
 * Wraps a sender so that it simulates a faulty receiver. Only the fault `duplicate`, and `slow` with a
 * delay below the time limit, pass the request on. The fault `duplicate` drops the response of an accepted
 * request. The service then sends a second copy of the event, because it cannot distinguish a lost response
 * from a lost request.
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
      // Waits in real time, because the time limit of an attempt is in real time too.
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
