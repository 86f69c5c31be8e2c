import { type Quota, WINDOW_MS } from '../../rules/keys.ts';
import { type RealClock, sleep } from '../../store/clock.ts';
import { ServiceError } from '../../store/errors.ts';
import type { ApiFaultRow } from '../../store/tables.ts';
import { type ResponseHeaders, tooManyRequests } from './respond.ts';

/**
 * Refuses a call with the injected fault. A refused call has no effect: no session is created or consumed.
 * A slow call runs normally, and its response is delayed.
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
      throw new ServiceError('malformed', 'The response is truncated');
    case 'slow':
    case undefined:
  }
}

/** Returns a used-up quota for an injected 429, so that its headers are consistent. */
export function toFaultyQuota(fault: ApiFaultRow | null, quota: Quota): Quota {
  return fault?.fault === '429' ? { ...quota, remaining: 0, retryAfterMs: WINDOW_MS } : quota;
}

export const CUT_OFF = '{"sessionId":"';

/** Responds with truncated JSON, like a proxy whose server crashed in the middle of a response. */
export function respondMalformed(status: number, headers: ResponseHeaders): Response {
  return new Response(CUT_OFF, { status, headers });
}

/**
 * Waits for the delay of a slow response. Uses real time, because the caller measures its timeout in real
 * time.
 */
export function delay(clock: RealClock, fault: ApiFaultRow | null): Promise<void> | undefined {
  return fault?.fault === 'slow' ? sleep(clock, fault.delayMs) : undefined;
}
