import { ATTEMPT_TIMEOUT_MS } from '../webhooks/webhook-limits.ts';
import type { Check } from './finding.ts';
import type { Records } from './records.ts';
import {
  listAttempts,
  listOwnAttempts,
  isRedirected,
  isRejection,
  isTimeout,
  isUnreachable,
  mayHaveBeenProcessed,
  severityOf,
  toDuration,
  toEvidence,
  findAttempts,
  type FinishedAttempt,
} from './attempts.ts';
import { count, duration, some, tally } from './format.ts';

/**
 * Above these limits (a third and two thirds of the timeout), a slow day of the receiver is enough for a
 * timeout.
 */
export const SLOW_ANSWER_MS = ATTEMPT_TIMEOUT_MS / 3;
export const VERY_SLOW_ANSWER_MS = (ATTEMPT_TIMEOUT_MS * 2) / 3;

/** Checks the responses of webhook receivers. */
export const deliveryChecks = {
  webhook_rejected: {
    why: 'Everything but 2xx counts as not received: it is sent again, and an endpoint that keeps rejecting is paused.',
    examine(records) {
      const attempts = findAttempts(records, isRejection);
      if (attempts.length === 0) return null;
      const statuses = attempts.map(({ attempt }) => attempt.httpStatus ?? 0);
      return {
        severity: severityOf(attempts, isRejection),
        title: 'A webhook receiver answers other than 2xx',
        detail: `${count(attempts.length, 'attempt')} at ${some(attempts.map(({ delivery }) => delivery.url))}: ${tally(statuses)}.`,
        advice: statuses.some((status) => status === 401 || status === 403)
          ? 'The receiver refuses the sender: verify the signature over the raw bytes with the secret of this endpoint, and let no login stand before the address.'
          : statuses.some((status) => status === 404 || status === 405 || status === 410)
            ? 'Check the address and that it takes POST.'
            : 'Look into the receiver’s own log. Answer 2xx as soon as the event is stored, and do the work afterwards.',
        evidence: toEvidence(attempts),
      };
    },
  },

  webhook_unreachable: {
    why: 'What cannot be reached gets no events, and is paused after a day.',
    examine(records) {
      const attempts = findAttempts(records, isUnreachable);
      if (attempts.length === 0) return null;
      return {
        severity: severityOf(attempts, isUnreachable),
        title: 'A webhook receiver cannot be reached',
        detail: `${count(attempts.length, 'attempt')} at ${some(attempts.map(({ delivery }) => delivery.url))}: ${tally(attempts.map(({ attempt }) => CAUSES[attempt.error ?? ''] ?? attempt.error ?? ''))}.`,
        advice:
          'Check that the receiver runs, that its name resolves to public addresses alone, and that its certificate is valid for that name.',
        evidence: toEvidence(attempts),
      };
    },
  },

  webhook_timeout: {
    why: 'An attempt ends after 15 seconds, and is made again, whatever the receiver did with it by then.',
    examine(records) {
      const attempts = findAttempts(records, isTimeout);
      if (attempts.length === 0) return null;
      return {
        severity: 'problem',
        title: 'A webhook receiver does not answer in time',
        detail: `${count(attempts.length, 'attempt')} of ${listOwnAttempts(records).length} at ${some(attempts.map(({ delivery }) => delivery.url))} got no answer within ${duration(ATTEMPT_TIMEOUT_MS)}.`,
        advice:
          'Verify the signature, store the event, answer 2xx, and only then do the work, so that the answer waits for nothing else.',
        evidence: toEvidence(attempts),
      };
    },
  },

  webhook_slow: {
    why: 'The limit is 15 seconds. A receiver that works before it answers reaches it on its first busy day.',
    examine(records) {
      const byUrl = new Map<string, FinishedAttempt[]>();
      for (const one of findAttempts(records, ({ httpStatus }) => httpStatus !== null)) {
        byUrl.set(one.delivery.url, [...(byUrl.get(one.delivery.url) ?? []), one]);
      }
      const slow = [...byUrl]
        .map(([url, attempts]) => ({
          url,
          attempts,
          p95: percentile95(attempts.map(toDuration)),
        }))
        .filter(({ p95 }) => p95 >= SLOW_ANSWER_MS);
      if (slow.length === 0) return null;
      const figures = slow.map(
        ({ url, attempts, p95 }) =>
          `${url} (p95 ${duration(p95)} of ${count(attempts.length, 'answer')}, slowest ${duration(Math.max(...attempts.map(toDuration)))})`,
      );
      return {
        severity: slow.some(({ p95 }) => p95 >= VERY_SLOW_ANSWER_MS) ? 'problem' : 'warning',
        title: 'A webhook receiver answers slowly',
        detail: `${some(figures)}. After ${duration(ATTEMPT_TIMEOUT_MS)} an attempt has failed.`,
        advice:
          'Store the event and answer 2xx at once; do the work, validate included, after the answer.',
        evidence: toEvidence(
          slow.flatMap(({ attempts }) =>
            attempts.filter((one) => toDuration(one) >= SLOW_ANSWER_MS),
          ),
        ),
      };
    },
  },

  webhook_redirected: {
    why: 'Each redirect is another connection out of the same 15 seconds, and another address that has to be public.',
    examine(records) {
      const attempts = findAttempts(records, isRedirected);
      if (attempts.length === 0) return null;
      return {
        severity: attempts.some(({ attempt }) => attempt.outcome !== 'ok') ? 'problem' : 'warning',
        title: 'A webhook address redirects',
        detail: `${count(attempts.length, 'attempt')} at ${some(attempts.map(({ delivery }) => delivery.url))}, with up to ${count(Math.max(...attempts.map(({ attempt }) => attempt.hops)), 'redirect')}.`,
        advice:
          'Configure the address that the redirect leads to; often it is a slash at the end, or www in front.',
        evidence: toEvidence(attempts),
      };
    },
  },

  webhook_repeated: {
    why: 'Events are delivered at least once. A receiver that does not expect that does its work twice.',
    examine(records) {
      const byReceiver = new Map<string, FinishedAttempt[]>();
      for (const one of listAttempts(records)) {
        if (!mayHaveBeenProcessed(one.attempt)) continue;
        // Skipped, because it has no eventId to recognise a copy by and no merchant decides anything by it.
        if (one.delivery.event === 'session.started') continue;
        const key = `${one.delivery.eventId} ${one.delivery.url}`;
        byReceiver.set(key, [...(byReceiver.get(key) ?? []), one]);
      }
      const repeated = [...byReceiver.values()].filter(
        (attempts) =>
          attempts.length > 1 &&
          attempts.some(({ attempt }) => attempt.outcome === 'ok') &&
          !isKnownToBeProcessedOnce(records, attempts[0]?.delivery.eventId),
      );
      if (repeated.length === 0) return null;
      const events = repeated.map((attempts) => {
        const [first] = attempts;
        return `${first?.delivery.event} ${first?.delivery.eventId} (${attempts.length} times)`;
      });
      return {
        severity: 'warning',
        title: 'An event reached the same receiver more than once',
        detail: `${count(repeated.length, 'event')}: ${some(events)}. Attempts without an answer are counted, as the receiver may have done the work.`,
        advice:
          'Keep each eventId that was processed and answer 2xx at once when it comes back. The server kit’s createWebhookHandler does that.',
        evidence: toEvidence(repeated.flat()),
      };
    },
  },
} as const satisfies Record<string, Check>;

/** Readable reasons for a missing response. */
const CAUSES: Readonly<Record<string, string>> = {
  dns: 'name not found',
  connect: 'no connection',
  tls: 'TLS failed',
  reset: 'connection broken off',
  destination_not_public: 'address not public',
  not_https: 'address not https',
};

/** Tells whether the receiver reported exactly once that it handled the event. */
function isKnownToBeProcessedOnce(records: Records, eventId: string | undefined): boolean {
  return (
    records.observations.filter(
      (observation) => observation.kind === 'webhook_processed' && observation.eventId === eventId,
    ).length === 1
  );
}

/** Returns the 95th percentile by the nearest-rank method. */
export function percentile95(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.ceil(sorted.length * 0.95) - 1] ?? 0;
}
