import type { SessionResource } from '../api/sessions.ts';
import {
  type DoctorCheck,
  type Pass,
  passResults,
  toCallEvidence,
  toPass,
  toSessionEvidence,
} from './finding.ts';
import { duration, some } from './format.ts';
import { toCount } from '../words/counts.ts';
import {
  callsOf,
  type ExaminedSession,
  isWebhookProcessed,
  type Records,
  refusedValidates,
  webhookResultMs,
} from './records.ts';

/**
 * Time after the end of a verification before a missing validate call is reported, because the shopper has
 * to return first.
 */
export const RETURN_GRACE_MS = 10_000;

/** Checks of whether, when and how often the merchant validated each session. */
export const resultChecks = {
  result_never_asked: {
    why: 'Without validate you know only what the browser reports, and anyone can forge that.',
    examine(records) {
      const left = findNeverValidated(records).filter(
        ({ id }) => webhookResultMs(records, id) === null,
      );
      if (left.length === 0) return null;
      const ids = left.map(({ id }) => id);
      const lost = left.filter(({ expiresAt }) => Date.parse(expiresAt) <= records.nowMs);
      const shown = left.filter(({ id }) => isShownToPage(records, id));
      const byPage =
        shown.length === 0
          ? ''
          : ` The page has already received the result of ${toCount(shown.length, 'session')}.`;
      const verified = records.sessions.filter(({ status }) => status === 'verified');
      const detail = `For ${left.length} of ${toCount(verified.length, 'verified session')} (${some(ids)}) validate was not called, and no signed webhook delivered the result either.${byPage}${hintAtOtherAddress(records)}`;
      return lost.length === 0
        ? {
            severity: shown.length === 0 ? 'warning' : 'problem',
            title: 'Validate has not been called yet',
            detail: `${detail} Validate can still be called until a session expires.`,
            advice:
              'If shoppers already have access, it is based on the return URL. Call validate on your server before you give access.',
            evidence: left.map(toSessionEvidence),
          }
        : {
            severity: 'problem',
            title: 'Validate was never called',
            detail: `${detail} ${lost.length === left.length ? 'It is too late now' : `For ${lost.length} of them it is too late now`}. If the shoppers got access, it was probably based on the status in the return URL.`,
            advice:
              'Call validate on your server when the shopper returns, with the sessionId from the URL and your secret key, and give access only based on its response.',
            evidence: left.map(toSessionEvidence),
          };
    },
    passes: passValidated,
  },

  result_by_webhook_alone: {
    why: 'A signed webhook is reliable. But the records do not show whether access was based on it or on the return URL.',
    examine(records) {
      const left = findNeverValidated(records).filter(
        ({ id }) => webhookResultMs(records, id) !== null && !isWebhookProcessed(records, id),
      );
      if (left.length === 0) return null;
      return {
        severity: 'warning',
        title: 'Only the webhook delivered the result',
        detail: `For ${toCount(left.length, 'verified session')} validate was not called: ${some(left.map(({ id }) => id))}.`,
        advice:
          'If access is based on the webhook, report it as webhook_processed, and this finding disappears. If it is based on the return page, call validate on your server first.',
        evidence: left.map(toSessionEvidence),
      };
    },
    passes: passValidated,
  },

  result_asked_too_early: {
    why: 'A pending response is not a result. Your server learns the result only from another call or from a webhook.',
    examine(records) {
      const left = findUnvalidated(records, ['verified', 'failed', 'cancelled']).flatMap(
        (session) => {
          const last = callsOf(records, session.id).findLast(
            ({ operation }) => operation === 'validate',
          );
          return last?.answer['status'] === 'pending' ? [{ session, last }] : [];
        },
      );
      if (left.length === 0) return null;
      return {
        severity: left.some(({ session }) => isLost(records, session)) ? 'problem' : 'warning',
        title: 'Validate was called while the session was pending, and not again',
        detail: `${toCount(left.length, 'session')}: ${some(left.map(({ session, last }) => `${session.id} (called ${duration(Math.max(0, Date.parse(session.settledAt ?? '') - last.atMs))} before it was ${session.status})`))}.`,
        advice:
          'Call validate when the shopper comes back, or when the webhook arrives. A pending response does not use the session up, so call again.',
        evidence: left.map(({ last }) => toCallEvidence(last)),
      };
    },
    passes: passResults,
  },

  result_asked_too_late: {
    why: 'A session lives for ten minutes. After that, validate no longer returns the result.',
    examine(records) {
      const late = refusedValidates(records, 'Session has expired').flatMap((call) => {
        const session = records.sessions.find(({ id }) => id === call.sessionId);
        // An expired session has no result that could be lost.
        return session && session.status !== 'expired' ? [{ call, session }] : [];
      });
      if (late.length === 0) return null;
      const times = late.map(
        ({ call, session }) =>
          `${session.id} (${session.status}; called ${duration(call.atMs - Date.parse(session.expiresAt))} after it expired)`,
      );
      return {
        severity: late.some(({ session }) => isLost(records, session)) ? 'problem' : 'warning',
        title: 'Validate was called after the session had expired',
        detail: `${toCount(late.length, 'call')} to validate. Sessions: ${some(times)}.`,
        advice:
          'Call validate at once when the shopper returns, not from a nightly job, and subscribe to verification.completed: its webhook delivers the result at any time.',
        evidence: late.map(({ call }) => toCallEvidence(call)),
      };
    },
    passes: passResults,
  },

  result_asked_twice: {
    why: 'Validate works once. The second response is an error, and code that treats it as a refusal turns a verified shopper away.',
    examine(records) {
      const again = refusedValidates(records, 'Session has already been used');
      if (again.length === 0) return null;
      const repeated = again.flatMap(({ sessionId }) => repeatedEventsOf(records, sessionId));
      const times = again.map((call) => {
        const session = records.sessions.find(({ id }) => id === call.sessionId);
        return session?.validatedAt == null
          ? String(call.sessionId)
          : `${session.id} (${duration(call.atMs - Date.parse(session.validatedAt))} after the first)`;
      });
      return {
        severity: 'warning',
        title: 'Validate was called again for a used session',
        detail:
          `${toCount(again.length, 'call')}. Sessions: ${some(times)}.` +
          (repeated.length === 0
            ? ''
            : ` Events that were sent more than once: ${some(repeated)}. Each attempt probably calls validate.`),
        advice:
          repeated.length === 0
            ? 'Store the first response by session id and reuse it, also when the return page is reloaded or the webhook handler runs before the page.'
            : 'Store each eventId. When the same eventId arrives again, respond with 2xx and do not call validate. Store the first response by session id.',
        evidence: again.map(toCallEvidence),
      };
    },
    passes: passResults,
  },
} as const satisfies Record<string, DoctorCheck>;

/** Tells whether the page reported that it received the result, which it may have used. */
function isShownToPage({ reports }: Records, sessionId: string): boolean {
  return reports.some(
    ({ kind, facts, sessionId: id }) =>
      id === sessionId &&
      facts.status === 'verified' &&
      (kind === 'verify.resolved' || kind === 'return.read'),
  );
}

/** Says what to check if no server has called the mock: it may call production. */
function hintAtOtherAddress({ hasServerCalled }: Records): string {
  return hasServerCalled
    ? ''
    : ' No request with a secret key has arrived. If your server does call validate, it calls another address: check that OFAGE_API_BASE is set where it runs, and passed as baseUrl.';
}

/** Returns the sessions with a result that were not validated, although there was time for it. */
function findUnvalidated(
  records: Records,
  statuses: readonly SessionResource['status'][] = ['verified'],
): ExaminedSession[] {
  return records.sessions.filter(
    ({ status, validatedAt, settledAt }) =>
      statuses.includes(status) &&
      validatedAt === null &&
      settledAt !== null &&
      records.nowMs - Date.parse(settledAt) > RETURN_GRACE_MS,
  );
}

/**
 * Returns the verified sessions for which validate was never called. From a session that the mock created
 * for a tool, no shopper returns to the shop.
 */
function findNeverValidated(records: Records): SessionResource[] {
  return findUnvalidated(records).filter(({ id, settledAt, isFromTool }) => {
    if (isFromTool) return false;
    const settledMs = Date.parse(settledAt ?? '');
    return !records.calls.some(
      ({ operation, sessionId, atMs }) =>
        operation === 'validate' &&
        // A call without a session id may have been meant for this session. It has a separate finding.
        (sessionId === id || (sessionId === null && atMs >= settledMs)),
    );
  });
}

/** Returns the verified sessions that were validated or whose event was processed. */
function passValidated(records: Records): Pass[] {
  return records.sessions
    .filter(
      ({ id, status, validatedAt }) =>
        status === 'verified' && (validatedAt !== null || isWebhookProcessed(records, id)),
    )
    .map(toSessionEvidence)
    .map(toPass);
}

/** Tells whether the merchant never learned that the verification succeeded. */
function isLost(records: Records, { id, status }: SessionResource): boolean {
  return status === 'verified' && webhookResultMs(records, id) === null;
}

/** Returns the events with the session's result that were sent more than once to one address. */
function repeatedEventsOf(records: Records, sessionId: string | null): string[] {
  return records.deliveries
    .filter(
      (delivery) =>
        delivery.sessionId === sessionId &&
        delivery.event.startsWith('verification.') &&
        delivery.attempts.length > 1,
    )
    .map(({ eventId }) => eventId);
}
