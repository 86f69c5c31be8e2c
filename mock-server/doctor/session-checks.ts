import { toCallEvidence } from './evidence.ts';
import type { Check } from './finding.ts';
import { refusedValidates } from './records.ts';
import { count, some } from './format.ts';

/** Checks the session ids in calls to validate. */
export const sessionChecks = {
  session_token_sent: {
    why: 'The token opens the verification itself; it belongs to the hosted page, and validate refuses it.',
    examine(records) {
      const sent = records.calls.filter(
        ({ operation, body, messages }) =>
          operation === 'validate' &&
          (messages.includes('property sessionToken should not exist') ||
            /^(st1|ht1)_/.test(String(body['sessionId']))),
      );
      if (sent.length === 0) return null;
      return {
        severity: 'problem',
        title: 'The session token was sent to validate',
        detail: `${count(sent.length, 'call')}, answered ${some(sent.map(({ status, messages }) => `${status} ${messages.join('; ')}`))}.`,
        advice:
          'Send { "sessionId": … } and nothing else. The sessionId is in the answer of create and in the return address.',
        evidence: sent.map(toCallEvidence),
      };
    },
  },

  session_of_another_account: {
    why: 'A session that somebody brings along from elsewhere proves nothing about your shopper.',
    examine(records) {
      const foreign = refusedValidates(records, 'Session does not belong to this tenant');
      if (foreign.length === 0) return null;
      return {
        severity: 'problem',
        title: 'A session of another account was validated',
        detail: `${count(foreign.length, 'call')}: session ${some(foreign.map(({ sessionId }) => String(sessionId)))}.`,
        advice:
          'If the account is yours as well, use the secret key of the pair that created the session. Otherwise somebody tried it with a session of their own: give no access.',
        evidence: foreign.map(toCallEvidence),
      };
    },
  },

  session_unknown: {
    why: 'An id that nobody issued was typed by hand, or comes from another environment.',
    examine(records) {
      const unknown = refusedValidates(records, 'Session not found').filter(
        ({ sessionId }) => !/^(st1|ht1)_/.test(String(sessionId)),
      );
      if (unknown.length === 0) return null;
      return {
        severity: 'warning',
        title: 'A session was validated that there is not',
        detail: `${count(unknown.length, 'call')}: ${some(unknown.map(({ sessionId }) => `"${sessionId}"`))}.`,
        advice:
          'Give no access. If your own pages made the session, check that page and server talk to the same service, and that the mock was not reset in between.',
        evidence: unknown.map(toCallEvidence),
      };
    },
  },
} as const satisfies Record<string, Check>;
