import { sleep, type RealClock } from '../core/clock.ts';
import { ServiceError } from '../core/errors.ts';
import type { ApiFaultRow } from '../core/tables.ts';
import { WINDOW_MS, type Quota } from '../accounts/rate-limits.ts';
import { tooManyRequests, type ResponseHeaders } from './respond.ts';

/**
 * Refuses a call that a fault was asked for. A call that goes wrong so has changed nothing: no session is
 * created, none is consumed. A slow call is answered as it should be, only later.
 * @throws {ServiceError} rate_limited, server_fault, unavailable or malformed
 */
export function throwFault(fault: ApiFaultRow | null): void {
  switch (fault?.fault) {
    case '429':
      throw tooManyRequests();
    case '500':
      throw new ServiceError('server_fault', 'Internal server error');
    case '503':
      throw new ServiceError('unavailable', 'Service Unavailable');
    case 'malformed':
      throw new ServiceError('malformed', 'The answer is cut off');
    case 'slow':
    case undefined:
  }
}

/** A limit that is used up, as a 429 must tell it. */
export function toFaultyQuota(fault: ApiFaultRow | null, quota: Quota): Quota {
  return fault?.fault === '429' ? { ...quota, remaining: 0, retryAfterMs: WINDOW_MS } : quota;
}

export const CUT_OFF = '{"sessionId":"';

/** Half an answer, as a proxy leaves behind whose server has died. */
export function respondMalformed(status: number, headers: ResponseHeaders): Response {
  return new Response(CUT_OFF, { status, headers });
}

/** Waits as long as a slow answer takes. In real time, as that is what a caller's timeout is measured in. */
export function delay(clock: RealClock, fault: ApiFaultRow | null): Promise<void> | undefined {
  return fault?.fault === 'slow' ? sleep(clock, fault.delayMs) : undefined;
}
