import type { SessionResource } from '../control/resources.ts';
import { toCallEvidence, toSessionEvidence } from './evidence.ts';
import type { Check } from './finding.ts';
import {
  callsOf,
  isWebhookProcessed,
  refusedValidates,
  webhookResultMs,
  type Records,
} from './records.ts';
import { count, duration, some } from './format.ts';

/** Time that a shopper may take from the end of the verification to the merchant's response. */
export const RETURN_GRACE_MS = 10_000;

/** Checks whether, when and how often the merchant validated each session. */
export const resultChecks = {
  result_never_asked: {
    why: 'Whoever does not ask the service knows only what the browser says, and that can be typed by hand.',
    examine(records) {
      const left = uncalled(records).filter(({ id }) => webhookResultMs(records, id) === null);
      if (left.length === 0) return null;
      const ids = left.map(({ id }) => id);
      const lost = left.filter(({ expiresAt }) => Date.parse(expiresAt) <= records.nowMs);
      const verified = records.sessions.filter(({ status }) => status === 'verified');
      const detail = `For ${left.length} of ${count(verified.length, 'verified session')} (${some(ids)}) validate was not called, and no signed webhook told the result either.`;
      return lost.length === 0
        ? {
            severity: 'warning',
            title: 'Nobody has asked for a result yet',
            detail: `${detail} It can be asked for until the session expires.`,
            advice:
              'If shoppers have been let in already, the status comes from the return address: call validate on your server before anything is given.',
            evidence: left.map(toSessionEvidence),
          }
        : {
            severity: 'problem',
            title: 'Nobody asked for the result',
            detail: `${detail} ${lost.length === left.length ? 'The time for it is over' : `For ${lost.length} of them the time for it is over`}; if the shoppers got in, the status was presumably taken from the return address.`,
            advice:
              'Call validate on your server when the shopper returns, with the sessionId from the address and your secret key, and give access from its answer alone.',
            evidence: left.map(toSessionEvidence),
          };
    },
  },

  result_by_webhook_alone: {
    why: 'A webhook that is signed can be relied on. But nothing here shows that it gave access, and not the return address.',
    examine(records) {
      const left = uncalled(records).filter(
        ({ id }) => webhookResultMs(records, id) !== null && !isWebhookProcessed(records, id),
      );
      if (left.length === 0) return null;
      return {
        severity: 'warning',
        title: 'Only the webhook told the result',
        detail: `For ${count(left.length, 'verified session')} validate was not called: ${some(left.map(({ id }) => id))}.`,
        advice:
          'If the webhook gives access, all is well: tell it as webhook_processed, and this is gone. If the return page does, let it call validate on your server first.',
        evidence: left.map(toSessionEvidence),
      };
    },
  },

  result_asked_too_early: {
    why: 'A pending answer is no result, and is not sent again by itself.',
    examine(records) {
      const left = unasked(records, ['verified', 'failed', 'cancelled']).flatMap((session) => {
        const last = callsOf(records, session.id).findLast(
          ({ operation }) => operation === 'validate',
        );
        return last?.answer['status'] === 'pending' ? [{ session, last }] : [];
      });
      if (left.length === 0) return null;
      return {
        severity: left.some(({ session }) => isLost(records, session)) ? 'problem' : 'warning',
        title: 'A result was asked for while it was pending, and never again',
        detail: `${count(left.length, 'session')}: ${some(left.map(({ session, last }) => `${session.id} (asked ${duration(Math.max(0, Date.parse(session.settledAt ?? '') - last.atMs))} before it was ${session.status})`))}.`,
        advice:
          'Call validate when the shopper comes back, or when the webhook arrives. A pending answer uses nothing up, so ask again.',
        evidence: left.map(({ last }) => toCallEvidence(last)),
      };
    },
  },

  result_asked_too_late: {
    why: 'A session is there for ten minutes; after that validate does not tell the result any more.',
    examine(records) {
      const late = refusedValidates(records, 'Session has expired').flatMap((call) => {
        const session = records.sessions.find(({ id }) => id === call.sessionId);
        // An expired session has no result that could get lost.
        return session && session.status !== 'expired' ? [{ call, session }] : [];
      });
      if (late.length === 0) return null;
      const times = late.map(
        ({ call, session }) =>
          `${session.id} (${session.status}; asked ${duration(call.atMs - Date.parse(session.expiresAt))} after it expired)`,
      );
      return {
        severity: late.some(({ session }) => isLost(records, session)) ? 'problem' : 'warning',
        title: 'A result was asked for after the session had expired',
        detail: `${count(late.length, 'call')} of validate: session ${some(times)}.`,
        advice:
          'Call validate at once when the shopper returns, not from a nightly job, and subscribe to verification.completed: its webhook tells the result whenever it comes.',
        evidence: late.map(({ call }) => toCallEvidence(call)),
      };
    },
  },

  result_asked_twice: {
    why: 'Validate works once. The second answer is an error, and whoever takes it for a no turns a verified shopper away.',
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
        title: 'Validate was called again for a session that was used',
        detail:
          `${count(again.length, 'call')}: session ${some(times)}.` +
          (repeated.length === 0
            ? ''
            : ` The webhook of event ${some(repeated)} was sent more than once, which looks as if each delivery validates.`),
        advice:
          repeated.length === 0
            ? 'Keep the first answer by session id and look there, also when the return page is loaded again or the webhook handler is quicker than the page.'
            : 'Keep each eventId and answer 2xx without calling validate again when it comes back, and keep the first answer by session id.',
        evidence: again.map(toCallEvidence),
      };
    },
  },
} as const satisfies Record<string, Check>;

/** Returns sessions with a result for which there was time to call validate, but no call. */
function unasked(
  records: Records,
  statuses: readonly SessionResource['status'][] = ['verified'],
): SessionResource[] {
  return records.sessions.filter(
    ({ status, validatedAt, settledAt }) =>
      statuses.includes(status) &&
      validatedAt === null &&
      settledAt !== null &&
      records.nowMs - Date.parse(settledAt) > RETURN_GRACE_MS,
  );
}

/** Returns the verified sessions for which validate was never called. */
function uncalled(records: Records): SessionResource[] {
  return unasked(records).filter(({ id, settledAt }) => {
    const settledMs = Date.parse(settledAt ?? '');
    return !records.calls.some(
      ({ operation, sessionId, atMs }) =>
        operation === 'validate' &&
        // A call without a session id may have been meant for this session. It has a separate finding.
        (sessionId === id || (sessionId === null && atMs >= settledMs)),
    );
  });
}

/** Tells whether a shopper was turned away although the verification succeeded. */
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
