import type {
  AttemptResource,
  EndpointResource,
  HealthResource,
  Redelivery,
  WebhookTestResource,
} from 'ofage/mock';
import type { Tone } from '../shared/kit/chip.tsx';
import { toCount } from '../shared/to-count.ts';
import { toRoughDuration } from '../shared/duration.ts';

/** Explains what the state of a webhook means for its events. */
export function explainState({
  state,
  lastSuccessAt,
  consecutiveFailures,
}: HealthResource): string {
  switch (state) {
    case 'healthy':
      return lastSuccessAt === null
        ? 'Nothing has been sent yet. Test Webhook tells whether it would arrive.'
        : 'Events are delivered as they happen.';
    case 'degraded':
      return `The last ${toCount(consecutiveFailures, 'request')} failed; events are tried again.`;
    case 'failing':
      return `${toCount(consecutiveFailures, 'request')} in a row failed, so it is tried more slowly.`;
    case 'paused':
      return 'Nothing is sent, and new events are recorded as not delivered.';
    case 'disabled':
      return 'It is switched off: it gets no events.';
  }
}

export const ATTEMPT_TONES = {
  ok: 'good',
  reject: 'bad',
  fail: 'warn',
  lost: 'warn',
} as const satisfies Record<NonNullable<AttemptResource['outcome']>, Tone>;

/**
 * Describes an attempt in one line: `204 in 12 ms`, `no answer: timeout after 15 s`, `500 in 0 ms, as asked
 * for by the fault 500`.
 */
export function describeAttempt({
  outcome,
  httpStatus,
  error,
  durationMs,
  fault,
}: Pick<AttemptResource, 'outcome' | 'httpStatus' | 'error' | 'durationMs' | 'fault'>): string {
  if (outcome === null) return 'under way';
  if (outcome === 'lost') return 'its end was never recorded';
  const answer = describeAnswer({ httpStatus, error, durationMs });
  return fault === null ? answer : `${answer}, as asked for by the fault ${fault}`;
}

/** Describes the result of Test Webhook, or of Test and resume. */
export function describeTest(test: WebhookTestResource): string {
  const answer = describeAnswer(test);
  if (test.resumed) return `Resumed: the test event was accepted (${answer})`;
  return test.success
    ? `The test event was accepted (${answer})`
    : `The test event was not accepted: ${answer}`;
}

export function describeRedelivery({ queued, remaining }: Redelivery): string {
  if (queued === 0) return 'There is nothing to redeliver';
  const rest = remaining > 0 ? `; ${remaining} more wait for the next press` : '';
  return `Queued ${toCount(queued, 'event')} again${rest}`;
}

/** Tells which actions of an endpoint are available now. */
export function toActions({ enabled, health }: Pick<EndpointResource, 'enabled' | 'health'>): {
  readonly mayTest: boolean;
  readonly mayResume: boolean;
  readonly mayRedeliver: boolean;
} {
  return {
    mayTest: enabled,
    mayResume: health.pausedAt !== null,
    mayRedeliver: health.undelivered > 0,
  };
}

function describeAnswer(answer: {
  readonly httpStatus: number | null;
  readonly error: string | null;
  readonly durationMs: number | null;
}): string {
  const { httpStatus, error, durationMs } = answer;
  const what = httpStatus === null ? `no answer: ${error ?? 'unknown'}` : String(httpStatus);
  const why = httpStatus !== null && error !== null ? ` (${error})` : '';
  return `${what}${why}${durationMs === null ? '' : ` in ${toRoughDuration(durationMs)}`}`;
}
