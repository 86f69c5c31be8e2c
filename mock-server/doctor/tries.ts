import type { AttemptResource, DeliveryResource } from '../control/resources.ts';
import { toDeliveryEvidence } from './evidence.ts';
import type { DoctorEvidence, DoctorSeverity } from './finding.ts';
import type { Seen } from './seen.ts';

/** An attempt that has come to its end. */
export interface Try {
  readonly delivery: DeliveryResource;
  readonly attempt: AttemptResource;
}

export function everyTry(seen: Seen): Try[] {
  return seen.deliveries.flatMap((delivery) =>
    delivery.attempts
      .filter(({ finishedAt }) => finishedAt !== null)
      .map((attempt) => ({ delivery, attempt })),
  );
}

/** Those that the receiver itself brought to their end: a fault that was asked for says nothing of it. */
export function finished(seen: Seen): Try[] {
  return everyTry(seen).filter(({ attempt }) => attempt.fault === null);
}

export function triesOf(seen: Seen, isWanted: (attempt: AttemptResource) => boolean): Try[] {
  return finished(seen).filter(({ attempt }) => isWanted(attempt));
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

/** An answer that was lost on the way does not undo what the receiver has done. */
export function mayHaveBeenProcessed({ outcome, error, fault }: AttemptResource): boolean {
  if (outcome === 'ok' || outcome === 'lost' || fault === 'duplicate') return true;
  return fault === null && (error === 'timeout' || error === 'reset');
}

/** A receiver that came round is less of a matter than one that still misses events. */
export function severityOf(
  tries: readonly Try[],
  isWanted: (attempt: AttemptResource) => boolean,
): DoctorSeverity {
  const isOpen = tries.some(({ delivery }) => {
    const last = delivery.attempts.findLast(
      ({ finishedAt, fault }) => finishedAt !== null && fault === null,
    );
    return delivery.status !== 'delivered' && last !== undefined && isWanted(last);
  });
  return isOpen ? 'problem' : 'warning';
}

export function toDuration({ attempt }: Try): number {
  return attempt.durationMs ?? 0;
}

export function toEvidence(tries: readonly Try[]): DoctorEvidence[] {
  return [...new Set(tries.map(({ delivery }) => delivery))].map(toDeliveryEvidence);
}
