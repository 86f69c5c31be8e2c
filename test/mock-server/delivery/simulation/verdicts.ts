import type { Behaviour } from './scenario.ts';

export type Verdict = 'ok' | 'reject' | 'fail';

/** Returns the outcome that the engine must record for a behaviour. */
export function toVerdict(behaviour: Behaviour): Verdict {
  switch (behaviour.kind) {
    case 'status': {
      const { status } = behaviour;
      if (status >= 200 && status < 300) return 'ok';
      return [400, 401, 403, 404, 410, 422].includes(status) ? 'reject' : 'fail';
    }
    case 'endless':
    case 'limited':
    case 'dns_flip':
      return 'ok';
    case 'dns_mixed':
    case 'dns_private':
      return 'reject';
    case 'redirect':
      return judgeRedirect(behaviour);
    default:
      return 'fail';
  }
}

/** Returns the valid Retry-After of a receiver in milliseconds, or 0 if there is none. */
export function toRetryAfterMs(behaviour: Behaviour): number {
  if (behaviour.kind !== 'status' || ![429, 503].includes(behaviour.status)) return 0;
  const text = behaviour.retryAfter ?? '';
  return /^\d+$/.test(text) ? Math.min(Number(text), 3_600) * 1_000 : 0;
}

function judgeRedirect({ status, hops, to }: Extract<Behaviour, { kind: 'redirect' }>): Verdict {
  if (status === 303) return 'fail';
  if (hops > 5) return 'fail';
  switch (to) {
    case 'final':
      return 'ok';
    case 'private':
    case 'http':
      return 'reject';
    case 'nowhere':
      return 'fail';
  }
}
