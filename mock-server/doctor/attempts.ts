import type { AttemptResource, DeliveryResource } from '../control/resources.ts';
import { toDeliveryEvidence } from './evidence.ts';
import type { DoctorEvidence, DoctorSeverity } from './finding.ts';
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

export function toEvidence(attempts: readonly FinishedAttempt[]): DoctorEvidence[] {
  return [...new Set(attempts.map(({ delivery }) => delivery))].map(toDeliveryEvidence);
}
