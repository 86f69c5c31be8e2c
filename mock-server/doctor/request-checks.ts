import type { SessionResource } from '../api/sessions.ts';
import { isAllowedUrl } from '../rules/allowed-domains.ts';
import { type Call, hasSessionToken, toWhat } from './calls.ts';
import {
  type DoctorCheck,
  passAccepted,
  type Proof,
  toCallEvidence,
  toPass,
  toSessionEvidence,
} from './finding.ts';
import { join, some, tally } from './format.ts';
import { toCount } from '../words/counts.ts';
import type { ExaminedSession, Records } from './records.ts';

/** Checks of the requests to the API, and of the sessions that they created. */
export const requestChecks = {
  return_url_not_allowed: {
    why: 'No session is created, so shoppers cannot be verified.',
    examine(records) {
      const refused = records.calls.filter(({ messages }) => messages.some(isDomainMessage));
      if (refused.length === 0) return null;
      const allowed = refused.flatMap((call) => allowedDomainsOf(records, call));
      return {
        severity: 'problem',
        title: 'The return URL is not in the allowed domains',
        detail: `${toCount(refused.length, 'session')} refused for ${some(refused.flatMap(refusedUrls).map(toHost))}; allowed: ${allowed.length === 0 ? 'only localhost and 127.0.0.1' : some(allowed)}.`,
        advice:
          'Add the host to the account’s allowed domains (Settings on the console): exactly as in the URL, or "*.shop.example" for subdomains. The URL must be http or https, without a user name or password.',
        evidence: refused.flatMap((call) =>
          refusedUrls(call).map((url) =>
            // No allowed domain would help with a URL that has a password or is not http.
            isAllowedUrl(url, [toHost(url)])
              ? { ...toCallEvidence(call), subject: url }
              : toCallEvidence(call),
          ),
        ),
      };
    },
    // The URL is in the allowed domains now, so the setting has changed.
    passes: (records) => [
      ...records.calls.flatMap((call) =>
        refusedUrls(call)
          .filter((url) => isAllowedUrl(url, allowedDomainsOf(records, call)))
          .map((url) => ({ subject: url, atMs: Infinity })),
      ),
      ...passAccepted(records),
    ],
  },

  request_invalid: {
    why: 'A request with an invalid body is refused every time.',
    examine(records) {
      const refused = records.calls.filter(
        (call) =>
          [400, 413, 415].includes(call.status) &&
          (call.messages.length === 0 ||
            call.messages.some((message) => !isExplained(call, message))),
      );
      if (refused.length === 0) return null;
      return {
        severity: 'problem',
        title: 'Requests rejected because of an invalid body',
        detail: `${toCount(refused.length, 'request')}: ${some(refused.map((call) => `${toWhat(call)} got ${call.status} ${call.messages.join('; ')}`))}.`,
        advice:
          'Fix the fields that the messages name. One response may have several messages. The server kit (ofage/server) sends only what the API knows.',
        evidence: refused.map(toCallEvidence),
      };
    },
    passes: passAccepted,
  },

  path_unknown: {
    why: 'The request reaches the service but has no effect.',
    examine(records) {
      const lost = records.calls.filter(({ operation }) => operation === null);
      if (lost.length === 0) return null;
      return {
        severity: 'warning',
        title: 'Requests to unknown paths',
        detail: `${toCount(lost.length, 'request')}: ${tally(lost.map(({ method, path }) => `${method} ${path}`))}.`,
        advice:
          'The API has two operations: POST /api/v1/sessions/create and POST /api/v1/sessions/validate. Check that the base URL is not prepended twice.',
        evidence: lost.map(toCallEvidence),
      };
    },
    passes: passAccepted,
  },

  rate_limited: {
    why: 'All keys of an account share one limit per minute for create and one for validate. While a limit is used up, shoppers have to wait.',
    examine(records) {
      const limited = records.calls.filter(({ status }) => status === 429);
      if (limited.length === 0) return null;
      const limits = (['create', 'validate'] as const).flatMap((operation) => {
        const calls = limited.filter((call) => call.operation === operation);
        const tenant = records.tenants.find(({ id }) => id === calls[0]?.tenantId);
        return calls.length === 0
          ? []
          : [
              `${calls.length} to ${operation} (limit: ${tenant?.rateLimits[operation] ?? '?'} a minute)`,
            ];
      });
      return {
        severity: 'warning',
        title: 'The rate limit was exceeded',
        detail: `${toCount(limited.length, 'request')} got the status 429: ${join(limits)}.`,
        advice:
          'Do not poll validate: call it when the shopper returns. After a 429, wait for the time in X-RateLimit-Retry-After.',
        evidence: limited.map(toCallEvidence),
      };
    },
    passes: passAccepted,
  },

  launch_unavailable: {
    why: 'A secret key can start a verification only while the publishable key of its pair is active.',
    examine(records) {
      const refused = records.calls.filter(({ status }) => status === 503);
      if (refused.length === 0) return null;
      return {
        severity: 'problem',
        title: 'Sessions cannot be launched',
        detail: `${toCount(refused.length, 'call')} to create got the status 503, with ${some(refused.map(({ credential }) => String(credential)))}.`,
        advice:
          'Activate the publishable key of the pair again, or use another pair. Do not build a URL from the session id instead.',
        evidence: refused.map(toCallEvidence),
      };
    },
    passes: passAccepted,
  },

  user_missing: {
    why: 'Anyone can submit a session that is not tied to a user. A shopper may return with the session of an older person.',
    examine(records) {
      const sessions = merchantSessionsOf(records);
      const withoutUser = sessions.filter(({ externalUserId }) => externalUserId === null);
      if (withoutUser.length === 0) return null;
      return {
        severity: 'warning',
        title: 'Sessions are not tied to a user',
        detail: `${withoutUser.length} of ${toCount(sessions.length, 'session')} without externalUserId (${some(withoutUser.map(({ id }) => id))}).`,
        advice:
          'Set externalUserId when you create the session, to an id of the shopper or of their browser session. Compare it with the one in the response of validate.',
        evidence: withoutUser.map(toCreationEvidence),
      };
    },
    passes: (records) =>
      merchantSessionsOf(records)
        .filter(({ externalUserId }) => externalUserId !== null)
        .map(toCreationEvidence)
        .map(toPass),
  },
} as const satisfies Record<string, DoctorCheck>;

/** Tells whether a message of a refusal has a separate finding. */
function isExplained(call: Call, message: string): boolean {
  if (isDomainMessage(message) || EXPLAINED.has(message)) return true;
  // The token may have been sent instead of the id.
  return hasSessionToken(call) && /^(property sessionToken|sessionId) /.test(message);
}

const EXPLAINED: ReadonlySet<string> = new Set([
  'Session has expired',
  'Session has already been used',
]);

function isDomainMessage(message: string): boolean {
  return /^(Return|Cancel) URL domain not allowed$/.test(message);
}

/** Returns the URLs of the call that are not in the allowed domains. */
function refusedUrls({ body, messages }: Call): string[] {
  return messages.filter(isDomainMessage).map((message) => {
    const url = body[message.startsWith('Cancel') ? 'cancelUrl' : 'returnUrl'];
    // Of a long body, only the beginning was recorded, which cannot be parsed.
    return url === undefined ? 'a URL in a long request' : String(url);
  });
}

function allowedDomainsOf({ tenants }: Records, { tenantId }: Call): readonly string[] {
  return tenants.find(({ id }) => id === tenantId)?.allowedDomains ?? [];
}

function toHost(url: string): string {
  return URL.canParse(url) ? new URL(url).hostname : url;
}

function merchantSessionsOf({ sessions }: Records): ExaminedSession[] {
  return sessions.filter(({ isFromTool }) => !isFromTool);
}

/** The user is a property of a new session, so its time is that of the creation. */
function toCreationEvidence(session: SessionResource): Proof {
  return { ...toSessionEvidence(session), at: session.createdAt };
}
