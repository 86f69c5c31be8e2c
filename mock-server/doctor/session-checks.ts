import { hasSessionToken } from './calls.ts';
import { type DoctorCheck, passAccepted, toCallEvidence } from './finding.ts';
import { some } from './format.ts';
import { toCount } from '../words/counts.ts';
import { refusedValidates } from './records.ts';

/** Checks of the session ids in calls to validate. */
export const sessionChecks = {
  session_token_sent: {
    why: 'The token belongs to the hosted page, where it opens the verification. Validate refuses it.',
    examine(records) {
      const sent = records.calls.filter(hasSessionToken);
      if (sent.length === 0) return null;
      return {
        severity: 'problem',
        title: 'The session token was sent to validate',
        detail: `${toCount(sent.length, 'call')} with the response ${some(sent.map(({ status, messages }) => `${status} ${messages.join('; ')}`))}.`,
        advice:
          'Send only { "sessionId": … }. The sessionId is in the response of create and in the return URL.',
        evidence: sent.map(toCallEvidence),
      };
    },
    passes: passAccepted,
  },

  session_of_another_account: {
    why: 'A session from another account does not verify your shopper.',
    examine(records) {
      const foreign = refusedValidates(records, 'Session does not belong to this tenant');
      if (foreign.length === 0) return null;
      return {
        severity: 'problem',
        title: 'Validate was called for a session of another account',
        detail: `${toCount(foreign.length, 'call')}. Sessions: ${some(foreign.map(({ sessionId }) => String(sessionId)))}.`,
        advice:
          'If the other account is yours, use the secret key of the pair that created the session. Otherwise a shopper submitted a foreign session: give no access.',
        evidence: foreign.map(toCallEvidence),
      };
    },
    passes: passAccepted,
  },

  session_unknown: {
    why: 'An unknown id was typed by hand, comes from another environment, or belongs to a session that was deleted.',
    examine(records) {
      const unknown = refusedValidates(records, 'Session not found').filter(
        ({ sessionId }) => !/^(st1|ht1)_/.test(String(sessionId)),
      );
      if (unknown.length === 0) return null;
      return {
        severity: 'warning',
        title: 'Validate was called for a session that does not exist',
        detail: `${toCount(unknown.length, 'call')}: ${some(unknown.map(({ sessionId }) => `"${sessionId}"`))}.`,
        advice:
          'Give no access. If your own pages created the session, check that page and server use the same service, and that the mock was not reset in between.',
        evidence: unknown.map(toCallEvidence),
      };
    },
    passes: passAccepted,
  },
} as const satisfies Record<string, DoctorCheck>;
