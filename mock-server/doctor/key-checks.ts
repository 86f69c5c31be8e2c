import { toWhat } from './calls.ts';
import {
  acceptedCalls,
  type DoctorCheck,
  passAccepted,
  passCalls,
  toCallEvidence,
  toPass,
} from './finding.ts';
import { join, some, tally } from './format.ts';
import { toCount } from '../words/counts.ts';

/** Checks of the API keys that requests are sent with. */
export const keyChecks = {
  secret_key_in_browser: {
    why: 'Every visitor can read a page’s code. With the secret key they can create and validate sessions in your name.',
    examine(records) {
      const shown = records.calls.filter(({ key, isBrowser }) => key === 'secret' && isBrowser);
      if (shown.length === 0) return null;
      const origins = shown.map(({ origin }) => origin ?? 'a page that sends no origin');
      return {
        severity: 'problem',
        title: 'A secret key is used in a browser',
        detail: `${toCount(shown.length, 'request')} with ${some(shown.map(({ credential }) => String(credential)))} from ${some(origins)}.`,
        advice:
          'Revoke the key pair and create a new one. Use the publishable key in pages, and call validate from your server. If the requests came from your server, it forwards browser headers: send its own headers instead.',
        evidence: shown.map(toCallEvidence),
      };
    },
    passes: (records) =>
      passCalls(
        acceptedCalls(records).filter(({ key, isBrowser }) => !(key === 'secret' && isBrowser)),
      ),
  },

  publishable_key_to_validate: {
    why: 'A result can be read only once. A page that could read it could use it up before your server does.',
    examine(records) {
      const refused = records.calls.filter(
        ({ key, operation, status }) =>
          key === 'publishable' && operation === 'validate' && status === 401,
      );
      if (refused.length === 0) return null;
      const fromPages = refused.filter(({ isBrowser }) => isBrowser).length;
      return {
        severity: 'problem',
        title: 'Validate was called with a publishable key',
        detail: `${toCount(refused.length, 'call')}, ${fromPages === 0 ? 'none' : fromPages} from a browser. Each got the status 401.`,
        advice:
          'Call validate from your server with the secret key of the pair. Never use that key in a page.',
        evidence: refused.map(toCallEvidence),
      };
    },
    passes: passAccepted,
  },

  key_missing: {
    why: 'The service cannot identify the account of a request that has no key, so it refuses the request.',
    examine(records) {
      const without = records.calls.filter(({ status, key }) => status === 401 && key === null);
      if (without.length === 0) return null;
      return {
        severity: 'problem',
        title: 'Requests have no key',
        detail: `${toCount(without.length, 'request')}: ${tally(without.map(toWhat))}. Each got the status 401.`,
        advice:
          'Send the header "Authorization: Bearer" with the key. Often the environment variable is not set where the server runs.',
        evidence: without.map(toCallEvidence),
      };
    },
    passes: passAccepted,
  },

  key_refused: {
    why: 'With an invalid key, the shop can neither create nor validate sessions.',
    examine(records) {
      const refused = records.calls.filter(
        ({ status, key, operation, messages }) =>
          (status === 401 &&
            key !== null &&
            !(key === 'publishable' && operation === 'validate')) ||
          messages.includes('API key is paused'),
      );
      if (refused.length === 0) return null;
      const keys = refused.map(
        ({ credential, messages }) => `${credential} (${messages.join('; ')})`,
      );
      return {
        severity: 'problem',
        title: 'A key is rejected',
        detail: `${toCount(refused.length, 'request')} with ${some(keys)}.`,
        advice:
          'Compare the key with the account’s keys. It may be revoked, paused, from another environment, or copied with quotes around it.',
        evidence: refused.map(toCallEvidence),
      };
    },
    passes: passAccepted,
  },

  policy_with_publishable_key: {
    why: 'Visitors could lower their own age limit, so policy that is sent with a publishable key is ignored.',
    examine(records) {
      const created = records.calls.filter(
        ({ key, operation, status }) =>
          key === 'publishable' && operation === 'create' && status === 201,
      );
      const sent = created.flatMap((call) => {
        const session = records.sessions.find(({ id }) => id === call.sessionId);
        const asked = POLICY_FIELDS.filter((field) => call.body[field] != null);
        const ignored = asked.filter((field) => session && call.body[field] !== session[field]);
        const [field = asked[0]] = ignored;
        if (field === undefined) return [];
        const used = session ? ` (used: ${session[field]})` : '';
        return [{ call, asked, ignored, example: `${field} ${String(call.body[field])}${used}` }];
      });
      if (sent.length === 0) return null;
      const differ = sent.filter(({ ignored }) => ignored.length > 0);
      const shown = differ.length > 0 ? differ : sent;
      return {
        severity: differ.length > 0 ? 'problem' : 'warning',
        title:
          differ.length > 0
            ? 'Policy that was sent with a publishable key was ignored'
            : 'Policy is sent with a publishable key',
        detail: `${toCount(sent.length, 'session')} with ${join([...new Set(sent.flatMap(({ asked }) => asked))])}; for example ${some(shown.map(({ example }) => example))}.`,
        advice:
          'Set the policy in the account (Settings on the console), or create the session on your server with the secret key. Leave these fields out in the browser.',
        evidence: shown.map(({ call }) => toCallEvidence(call)),
      };
    },
    passes: (records) =>
      acceptedCalls(records)
        .filter(
          ({ key, body }) =>
            key !== 'publishable' || POLICY_FIELDS.every((field) => body[field] == null),
        )
        .map(toCallEvidence)
        .map(toPass),
  },
} as const satisfies Record<string, DoctorCheck>;

const POLICY_FIELDS = ['verificationMode', 'challengeAge', 'faceMatchEnabled'] as const;
