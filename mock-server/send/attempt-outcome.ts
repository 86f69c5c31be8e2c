import type { AttemptOutcome } from '../rules/attempts.ts';
import { parseRetryAfter } from './retry-after.ts';
import type { WebhookResult } from './sender.ts';

/** The 4xx statuses that do not count as a rejection, because the problem may be temporary. */
const TEMPORARY = new Set([408, 425, 429]);

export function toAttemptOutcome(
  result: WebhookResult,
  facts: { durationMs: number; bodySha256: string; signature: string | null; nowMs: number },
): AttemptOutcome {
  const { durationMs, bodySha256, signature, nowMs } = facts;
  const { address, hops } = result;
  const shared = { durationMs, bodySha256, signature, address, hops };
  switch (result.kind) {
    case 'response': {
      const { status } = result;
      const isAsked = status === 429 || status === 503;
      return {
        ...shared,
        class: classify(status),
        httpStatus: status,
        error: null,
        retryAfterMs: isAsked ? parseRetryAfter(result.retryAfter, nowMs) : null,
      };
    }
    case 'failure':
    case 'refused':
      return {
        ...shared,
        class: result.kind === 'refused' ? 'reject' : 'fail',
        httpStatus: null,
        error: result.error,
        retryAfterMs: null,
      };
  }
}

function classify(status: number): AttemptOutcome['class'] {
  if (status >= 200 && status < 300) return 'ok';
  return status >= 400 && status < 500 && !TEMPORARY.has(status) ? 'reject' : 'fail';
}
