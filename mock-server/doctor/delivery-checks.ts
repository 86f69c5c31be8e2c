import { ATTEMPT_TIMEOUT_MS } from '../rules/webhook-limits.ts';
import { ATTEMPT_TIMEOUT } from '../words/limits.ts';
import { type DoctorCheck, toPass } from './finding.ts';
import type { Records } from './records.ts';
import {
  listAttempts,
  listOwnAttempts,
  isRedirected,
  isRejection,
  isTimeout,
  isUnreachable,
  mayHaveBeenProcessed,
  countEndpoints,
  passAttempts,
  passUnusedUrls,
  severityOf,
  toDuration,
  toEvidence,
  findAttempts,
  type FinishedAttempt,
} from './attempts.ts';
import { duration, some, tally } from './format.ts';
import { toCount } from '../words/counts.ts';

// The limits for slow responses: a third and two thirds of the timeout. A receiver that exceeds them may
// time out under load.
export const SLOW_ANSWER_MS = ATTEMPT_TIMEOUT_MS / 3;
export const VERY_SLOW_ANSWER_MS = (ATTEMPT_TIMEOUT_MS * 2) / 3;

/** Checks of the attempts to deliver webhooks. */
export const deliveryChecks = {
  webhook_rejected: {
    why: 'Every final response other than 2xx counts as a failure. The event is usually sent again, and an endpoint that keeps rejecting is paused.',
    examine(records) {
      const attempts = findAttempts(records, isRejection);
      if (attempts.length === 0) return null;
      const statuses = attempts.map(({ attempt }) => attempt.httpStatus ?? 0);
      return {
        severity: severityOf(attempts, isRejection),
        title: 'A webhook receiver responds with an error status',
        detail: `${toCount(attempts.length, 'attempt')} at ${some(attempts.map(({ delivery }) => delivery.url))}: ${tally(statuses)}.`,
        advice: adviseOnStatuses(statuses),
        evidence: toEvidence(attempts),
      };
    },
    passes: (records) => passAttempts(records, ({ outcome }) => outcome === 'ok'),
  },

  webhook_unreachable: {
    why: 'An unreachable endpoint receives no events. It is paused after a day, or after an hour if its address is not allowed.',
    examine(records) {
      const attempts = findAttempts(records, isUnreachable);
      if (attempts.length === 0) return null;
      return {
        severity: severityOf(attempts, isUnreachable),
        title: 'A webhook receiver cannot be reached',
        detail: `${toCount(attempts.length, 'attempt')} at ${some(attempts.map(({ delivery }) => delivery.url))}: ${tally(attempts.map(({ attempt }) => CAUSES[attempt.error ?? ''] ?? attempt.error ?? ''))}.`,
        advice:
          'Check that the receiver runs, that its host name resolves only to public addresses, and that its certificate is valid for that name.',
        evidence: toEvidence(attempts),
      };
    },
    passes: (records) => passAttempts(records, ({ httpStatus }) => httpStatus !== null),
  },

  webhook_timeout: {
    why: `An attempt times out after ${ATTEMPT_TIMEOUT} and is retried, even if the receiver has already handled the event.`,
    examine(records) {
      const attempts = findAttempts(records, isTimeout);
      if (attempts.length === 0) return null;
      return {
        severity: 'problem',
        title: 'A webhook receiver does not respond in time',
        detail: `${toCount(attempts.length, 'attempt')} of ${listOwnAttempts(records).length} at ${some(attempts.map(({ delivery }) => delivery.url))} got no response within ${duration(ATTEMPT_TIMEOUT_MS)}.`,
        advice:
          'Verify the signature, store the event and respond with 2xx. Do the work afterwards, so that the response does not wait for it.',
        evidence: toEvidence(attempts),
      };
    },
    passes: (records) => passAttempts(records, ({ httpStatus }) => httpStatus !== null),
  },

  webhook_slow: {
    why: `The limit is ${ATTEMPT_TIMEOUT}. A receiver that does its work before it responds will exceed it on a busy day.`,
    examine(records) {
      const slow = [...groupResponses(records)]
        .map(([url, attempts]) => ({
          url,
          attempts,
          p95: percentile95(attempts.map(toDuration)),
        }))
        .filter(({ p95 }) => p95 >= SLOW_ANSWER_MS);
      if (slow.length === 0) return null;
      const figures = slow.map(
        ({ url, attempts, p95 }) =>
          `${url} (p95 ${duration(p95)} of ${toCount(attempts.length, 'response')}, slowest ${duration(Math.max(...attempts.map(toDuration)))})`,
      );
      return {
        severity: slow.some(({ p95 }) => p95 >= VERY_SLOW_ANSWER_MS) ? 'problem' : 'warning',
        title: 'A webhook receiver responds slowly',
        detail: `${some(figures)}. An attempt times out after ${duration(ATTEMPT_TIMEOUT_MS)}.`,
        advice:
          'Store the event and respond with 2xx at once. Do the work, including validate, after the response.',
        evidence: toEvidence(
          slow.flatMap(({ attempts }) =>
            attempts.filter((one) => toDuration(one) >= SLOW_ANSWER_MS),
          ),
          toUrl,
        ),
      };
    },
    // One fast response proves nothing.
    passes: (records) => [
      ...passUnusedUrls(records, toUrl),
      ...[...groupResponses(records)]
        .filter(([, attempts]) => isFastAgain(attempts))
        .map(([url]) => ({ subject: url, atMs: Infinity })),
    ],
  },

  webhook_redirected: {
    why: `Each redirect needs a further connection, and all of them share the limit of ${ATTEMPT_TIMEOUT}. Every target must have a public address.`,
    examine(records) {
      const attempts = findAttempts(records, isRedirected);
      if (attempts.length === 0) return null;
      return {
        severity: attempts.some(({ attempt }) => attempt.outcome !== 'ok') ? 'problem' : 'warning',
        title: 'A webhook URL redirects',
        detail: `${toCount(attempts.length, 'attempt')} at ${some(attempts.map(({ delivery }) => delivery.url))}. Redirects per attempt: at most ${Math.max(...attempts.map(({ attempt }) => attempt.hops))}.`,
        advice:
          'Configure the URL that the redirect leads to. Often the difference is a slash at the end, or www at the start.',
        evidence: toEvidence(attempts),
      };
    },
    passes: (records) =>
      passAttempts(records, (attempt) => attempt.httpStatus !== null && !isRedirected(attempt)),
  },

  webhook_repeated: {
    why: 'Events are delivered at least once. A receiver that does not handle copies does its work twice.',
    examine(records) {
      const repeated = groupRepeated(records).filter(
        (attempts) => !isKnownToBeProcessedOnce(records, attempts),
      );
      if (repeated.length === 0) return null;
      const events = repeated.map((attempts) => {
        const [first] = attempts;
        return `${first?.delivery.event} ${first?.delivery.eventId} (${attempts.length} times)`;
      });
      return {
        severity: 'warning',
        title: 'An event reached the same receiver more than once',
        detail: `${toCount(repeated.length, 'event')}: ${some(events)}. Attempts without a response are counted, because the receiver may have done the work.`,
        advice: repeated.every(isBySeveralEndpoints)
          ? 'Several endpoints have the same URL. Delete all but one.'
          : 'Store each processed eventId, and respond with 2xx at once when it arrives again. The server kit’s createWebhookHandler does that. This warning ends when your code reports a repeated event exactly once as webhook_processed. Otherwise it ends when the event is deleted, after seven days.',
        evidence: repeated.flatMap((attempts) =>
          toEvidence(attempts, isBySeveralEndpoints(attempts) ? toSharedUrl : toUrl),
        ),
      };
    },
    passes: (records) => [
      ...passUnusedUrls(records, toUrl),
      ...groupRepeated(records)
        .filter((attempts) => isKnownToBeProcessedOnce(records, attempts))
        .flatMap((attempts) => toEvidence(attempts, toUrl).map(toPass)),
      ...records.deliveries
        .filter(({ url }) => countEndpoints(records, url) < 2)
        .map((delivery) => ({ subject: toSharedUrl(delivery), atMs: Infinity })),
    ],
  },
} as const satisfies Record<string, DoctorCheck>;

/** Advises on each kind of error status, the most frequent first. */
function adviseOnStatuses(statuses: readonly number[]): string {
  const counts = new Map<string, number>();
  for (const status of statuses) {
    const advice = adviseOnStatus(status);
    counts.set(advice, (counts.get(advice) ?? 0) + 1);
  }
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .map(([advice]) => advice)
    .join(' ');
}

function adviseOnStatus(status: number): string {
  switch (status) {
    case 401:
    case 403:
      return `The receiver refuses the request with ${status}. Verify the signature over the raw bytes with the secret of this endpoint, and do not require a login for this URL.`;
    case 404:
    case 405:
    case 410:
      return `For the status ${status}, check the URL, and that it accepts POST.`;
    default:
      return status >= 500
        ? 'The receiver itself failed: its own log says why. Respond with 2xx as soon as the event is stored, and do the work afterwards.'
        : `Respond with 2xx instead of ${status} as soon as the event is stored, and do the work afterwards.`;
  }
}

/** Readable reasons for a missing response. */
const CAUSES: Readonly<Record<string, string>> = {
  dns: 'name not found',
  connect: 'no connection',
  tls: 'TLS failed',
  reset: 'connection closed',
  destination_not_public: 'address not public',
  not_https: 'address not https',
};

function toUrl({ url }: { readonly url: string }): string {
  return url;
}

/** Names the mistake that several endpoints have one URL. */
function toSharedUrl({ url }: { readonly url: string }): string {
  return `endpoints of ${url}`;
}

/** Groups the attempts that got a response by the receiver's URL. */
function groupResponses(records: Records): Map<string, FinishedAttempt[]> {
  const byUrl = new Map<string, FinishedAttempt[]>();
  for (const one of findAttempts(records, ({ httpStatus }) => httpStatus !== null))
    byUrl.set(one.delivery.url, [...(byUrl.get(one.delivery.url) ?? []), one]);
  return byUrl;
}

/** Number of fast responses in a row after which a receiver no longer counts as slow. */
export const FAST_IN_A_ROW = 5;

function isFastAgain(attempts: readonly FinishedAttempt[]): boolean {
  const newest = attempts
    .toSorted((a, b) => (a.attempt.startedAt < b.attempt.startedAt ? -1 : 1))
    .slice(-FAST_IN_A_ROW);
  return newest.length === FAST_IN_A_ROW && newest.every((one) => toDuration(one) < SLOW_ANSWER_MS);
}

/** Groups the attempts by which one event may have reached one URL more than once. */
function groupRepeated(records: Records): FinishedAttempt[][] {
  const byReceiver = new Map<string, FinishedAttempt[]>();
  for (const one of listAttempts(records)) {
    if (!mayHaveBeenProcessed(one.attempt)) continue;
    // `session.started` has no `eventId` by which a copy could be recognised, and merchants do not act on
    // it.
    if (one.delivery.event === 'session.started') continue;
    const key = `${one.delivery.eventId} ${one.delivery.url}`;
    byReceiver.set(key, [...(byReceiver.get(key) ?? []), one]);
  }
  return [...byReceiver.values()].filter(
    (attempts) => attempts.length > 1 && attempts.some(({ attempt }) => attempt.outcome === 'ok'),
  );
}

/** Tells whether each copy of an event was sent to another endpoint, so that none was sent again. */
function isBySeveralEndpoints(attempts: readonly FinishedAttempt[]): boolean {
  return new Set(attempts.map(({ delivery }) => delivery.endpointId)).size === attempts.length;
}

/** Tells whether the receiver reported exactly once that it handled the event. */
function isKnownToBeProcessedOnce(
  { observations }: Records,
  [first]: readonly FinishedAttempt[],
): boolean {
  return (
    observations.filter(
      ({ kind, eventId }) => kind === 'webhook_processed' && eventId === first?.delivery.eventId,
    ).length === 1
  );
}

/** Returns the 95th percentile by the nearest-rank method. */
export function percentile95(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.ceil(sorted.length * 0.95) - 1] ?? 0;
}
