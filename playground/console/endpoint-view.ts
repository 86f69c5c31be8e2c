import type {
  AttemptResource,
  DeliveryResource,
  EndpointResource,
  EndpointState,
  HealthResource,
  NoticeResource,
  Redelivery,
  WebhookTestResource,
} from 'ofage-mock';
import { describeReason } from '../shared/console/describe-reason.ts';
import { explainPause } from '../shared/console/paused-note.tsx';
import { STATE_TONES } from '../shared/console/tones.ts';
import type { Tone } from '../shared/kit/chip.tsx';
import { formatNumber, toCount } from '../../mock-server/words/counts.ts';
import { DELIVERY_WORDS } from '../../mock-server/words/states.ts';
import { toRoughDuration } from '../shared/duration.ts';

/**
 * Returns the tone of a webhook's state. A healthy or new webhook gets the tone `warn` if it has
 * undelivered events.
 */
export function toStateTone({ state, undelivered }: HealthResource): Tone {
  const isWorking = state === 'healthy' || state === 'new';
  return isWorking && undelivered > 0 ? 'warn' : STATE_TONES[state];
}

/** Describes the state in a few words, for example `healthy, 3 not delivered`. */
export function describeState({ state, undelivered }: HealthResource): string {
  const isSending = state !== 'paused' && state !== 'disabled';
  return isSending && undelivered > 0
    ? `${state}, ${formatNumber(undelivered)} ${DELIVERY_WORDS.undelivered}`
    : state;
}

/** The states, the one that needs attention most urgently first. */
const SEVERITY: readonly EndpointState[] = ['paused', 'failing', 'healthy', 'new', 'disabled'];

/** Sorts webhooks by how much they need attention, the worst first. */
export function sortBySeverity<Webhook extends { readonly health: HealthResource }>(
  webhooks: readonly Webhook[],
): Webhook[] {
  const rank = ({ health }: Webhook): number => SEVERITY.indexOf(health.state);
  return webhooks.toSorted(
    (a, b) => rank(a) - rank(b) || b.health.undelivered - a.health.undelivered,
  );
}

export function explainState(health: HealthResource): string {
  const { state, consecutiveFailures, undelivered } = health;
  switch (state) {
    case 'new':
      return 'No events yet. Test the webhook to check your server.';
    case 'healthy':
      return undelivered > 0
        ? `${toCount(undelivered, 'earlier event')} did not arrive. New events are delivered as they happen.`
        : 'Events are delivered as they happen.';
    case 'failing':
      if (consecutiveFailures === 0) return 'The last request was not accepted.';
      return `The last ${toCount(consecutiveFailures, 'request')} failed. Waiting events are retried, after growing delays.`;
    case 'paused':
      return 'Paused. New events are recorded as not delivered.';
    case 'disabled':
      return 'Switched off. No events are sent.';
  }
}

/**
 * Describes a notice. The service's own text is in the present tense, which is wrong once the pause has
 * ended.
 */
export function describeNotice({ url, reason }: NoticeResource, isCurrent: boolean): string {
  return `Webhooks to ${url} ${isCurrent ? 'are' : 'were'} paused. ${explainPause(reason)}`;
}

/** A problem of a webhook, as the overview's alert describes it. */
export interface WebhookProblem {
  readonly text: string;
  /** The time at which it began. Null if it is not known. */
  readonly since: string | null;
  /** The action that the problem needs, on the page of the webhook. */
  readonly action: string;
}

/** Describes what is wrong with a webhook. Returns null if nothing is. */
export function describeProblem({
  url,
  health,
}: Pick<EndpointResource, 'url' | 'health'>): WebhookProblem | null {
  const { state, undelivered, pauseReason, pausedAt, failingSince, lastFailureAt } = health;
  const missed = `${toCount(undelivered, 'event')} ${DELIVERY_WORDS.undelivered}`;
  if (state === 'paused') {
    const text = `Webhooks to ${url} are paused: ${missed}. ${explainPause(pauseReason)}`;
    return { text, since: pausedAt, action: 'Test and resume' };
  }
  if (state === 'failing') {
    const text = `Webhooks to ${url} fail. ${explainState(health)}`;
    return { text, since: failingSince, action: 'Test the webhook' };
  }
  if (state === 'disabled' || undelivered === 0) return null;
  const text = `Webhooks to ${url}: ${missed}`;
  return { text, since: lastFailureAt, action: 'Redeliver' };
}

/**
 * Describes an attempt in one line: `204 in 12 ms`, `no response: timeout in 15 s`, `500 in 0 ms, from the
 * fault 500`.
 */
function describeAttempt({
  outcome,
  httpStatus,
  error,
  durationMs,
  fault,
}: Pick<AttemptResource, 'outcome' | 'httpStatus' | 'error' | 'durationMs' | 'fault'>): string {
  if (outcome === null) return 'in progress';
  if (outcome === 'lost') return 'result not recorded';
  const answer = describeAnswer({ httpStatus, error, durationMs });
  return fault === null ? answer : `${answer}, from the fault ${fault}`;
}

/** Describes the state of a delivery, for example `1 attempt · 200 in 350 ms` or `endpoint paused`. */
export function describeDelivery({
  attempts,
  reason,
}: Pick<DeliveryResource, 'attempts' | 'reason'>): string {
  const why = reason === null ? [] : [describeReason(reason)];
  const last = attempts.at(-1);
  if (!last) return why[0] ?? 'no attempts yet';
  return [toCount(attempts.length, 'attempt'), describeAttempt(last), ...why].join(' · ');
}

/** Describes the result of a test, or of Test and resume. After a failure, says what to do. */
export function describeTest(test: WebhookTestResource): string {
  const answer = describeAnswer(test);
  if (test.resumed) return `Resumed. The test event was accepted: ${answer}`;
  return test.success ? `Test passed: ${answer}` : `Test failed: ${answer}. ${adviseOnTest(test)}`;
}

function adviseOnTest({ httpStatus, error }: WebhookTestResource): string {
  switch (httpStatus ?? error) {
    case 401:
    case 403:
      return 'Check that your server verifies the raw body with the secret of this endpoint, and requires no login for this URL.';
    case 404:
    case 405:
    case 410:
      return 'Check the URL, and that your server accepts POST there.';
    case 'timeout':
      return 'Respond with 2xx as soon as the event is stored, and do the work afterwards.';
    case 'connect':
    case 'dns':
      return 'Check that your server is running and that the URL leads to it.';
    case 'tls':
      return 'Check that the certificate is valid for this host.';
    case 'bad_redirect':
    case 'too_many_redirects':
      return 'Enter the URL that the redirect leads to.';
    case 'destination_not_public':
    case 'not_https':
      return 'Use an https URL on a public host.';
    default:
      return 'Look for the error in the log of your server.';
  }
}

export function describeRedelivery({ queued, remaining }: Redelivery): string {
  if (queued === 0) return 'No events to redeliver';
  const rest =
    remaining > 0 ? `. Press Redeliver again for the remaining ${formatNumber(remaining)}` : '';
  return `Queued ${toCount(queued, 'event')} for redelivery${rest}`;
}

/** Explains why undelivered events cannot be redelivered now. Null if they can, or if there are none. */
export function explainRedeliverBlock(health: HealthResource): string | null {
  if (health.undelivered === 0 || health.mayRedeliver) return null;
  if (health.state === 'disabled') return 'To redeliver, enable the endpoint first.';
  return 'To redeliver, the endpoint must have accepted its last request. Test the webhook first.';
}

function describeAnswer(answer: {
  readonly httpStatus: number | null;
  readonly error: string | null;
  readonly durationMs: number | null;
}): string {
  const { httpStatus, error, durationMs } = answer;
  const what = httpStatus === null ? `no response: ${error ?? 'unknown'}` : String(httpStatus);
  const why = httpStatus !== null && error !== null ? ` (${error})` : '';
  return `${what}${why}${durationMs === null ? '' : ` in ${toRoughDuration(durationMs)}`}`;
}
