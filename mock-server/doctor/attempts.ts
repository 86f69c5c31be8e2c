import type { AttemptResource, DeliveryResource } from '../api/deliveries.ts';
import type { DoctorSeverity } from '../api/doctor.ts';
import { type Pass, type Proof, toPass } from './finding.ts';
import type { Records } from './records.ts';

export interface FinishedAttempt {
  readonly delivery: DeliveryResource;
  readonly attempt: AttemptResource;
}

export function listAttempts(records: Records): FinishedAttempt[] {
  return records.deliveries.flatMap((delivery) =>
    delivery.attempts
      .filter(({ finishedAt }) => finishedAt !== null)
      .map((attempt) => ({ delivery, attempt })),
  );
}

/**
 * Lists attempts without an injected fault, because the result of a fault says nothing about the receiver.
 */
export function listOwnAttempts(records: Records): FinishedAttempt[] {
  return listAttempts(records).filter(({ attempt }) => attempt.fault === null);
}

export function findAttempts(
  records: Records,
  isWanted: (attempt: AttemptResource) => boolean,
): FinishedAttempt[] {
  return listOwnAttempts(records).filter(({ attempt }) => isWanted(attempt));
}

export function isRejection({ httpStatus }: AttemptResource): boolean {
  return httpStatus !== null && (httpStatus < 200 || httpStatus > 299);
}

export function isTimeout({ error }: AttemptResource): boolean {
  return error === 'timeout';
}

export function isRedirected({ hops, error }: AttemptResource): boolean {
  return hops > 0 || error === 'too_many_redirects' || error === 'bad_redirect';
}

export function isUnreachable(attempt: AttemptResource): boolean {
  return attempt.error !== null && !isTimeout(attempt) && !isRedirected(attempt);
}

/** Tells whether the receiver may have handled the event, even if its response was lost. */
export function mayHaveBeenProcessed({ outcome, error, fault }: AttemptResource): boolean {
  if (outcome === 'ok' || outcome === 'lost' || fault === 'duplicate') return true;
  return fault === null && (error === 'timeout' || error === 'reset');
}

/**
 * Returns `problem` if `isWanted` holds for the last attempt without an injected fault of an event that is
 * not delivered, otherwise `warning`.
 */
export function severityOf(
  attempts: readonly FinishedAttempt[],
  isWanted: (attempt: AttemptResource) => boolean,
): DoctorSeverity {
  const isOpen = attempts.some(({ delivery }) => {
    const last = delivery.attempts.findLast(
      ({ finishedAt, fault }) => finishedAt !== null && fault === null,
    );
    return delivery.status !== 'delivered' && last !== undefined && isWanted(last);
  });
  return isOpen ? 'problem' : 'warning';
}

export function toDuration({ attempt }: FinishedAttempt): number {
  return attempt.durationMs ?? 0;
}

/**
 * Returns one piece of evidence for each delivery, with the time of its newest of these attempts.
 *
 * @param toSubject By default, one kind of event at one URL, because a receiver may refuse one kind and
 *   accept the others.
 */
export function toEvidence(
  attempts: readonly FinishedAttempt[],
  toSubject: (delivery: DeliveryResource) => string = toEventAtUrl,
): Proof[] {
  const newest = new Map(attempts.map((one) => [one.delivery, one.attempt]));
  return [...newest].map(([delivery, { startedAt }]) => ({
    kind: 'delivery',
    id: delivery.id,
    at: startedAt,
    text: `${delivery.event} to ${delivery.url}`,
    sessionId: delivery.sessionId,
    subject: toSubject(delivery),
  }));
}

/**
 * Lists the webhooks that passed a check, and those to unused URLs. Each attempt must have passed: an
 * accepted retry is not enough, because it is part of the same mistake. After a redelivery, which the
 * developer requests once the receiver is repaired, the last attempt is enough.
 */
export function passAttempts(
  records: Records,
  isPassed: (attempt: AttemptResource) => boolean,
): Pass[] {
  const passed = records.deliveries.filter(({ attempts, redeliveries }) => {
    const finished = attempts.filter(
      ({ finishedAt, fault }) => finishedAt !== null && fault === null,
    );
    const last = finished.at(-1);
    return finished.every(isPassed) || (redeliveries > 0 && last !== undefined && isPassed(last));
  });
  const attempts = listOwnAttempts(records).filter(({ delivery }) => passed.includes(delivery));
  return [...passUnusedUrls(records), ...toEvidence(attempts).map(toPass)];
}

/** Lists the webhooks to a URL that no enabled endpoint has any more, because the setting has changed. */
export function passUnusedUrls(
  records: Records,
  toSubject: (delivery: DeliveryResource) => string = toEventAtUrl,
): Pass[] {
  return records.deliveries
    .filter(({ url }) => countEndpoints(records, url) === 0)
    .map((delivery) => ({ subject: toSubject(delivery), atMs: Infinity }));
}

/** Returns the number of enabled endpoints with this URL. */
export function countEndpoints({ hooks }: Records, url: string): number {
  return hooks.filter((hook) => hook.enabled && hook.url === url).length;
}

function toEventAtUrl({ event, url }: DeliveryResource): string {
  return `${event} ${url}`;
}
