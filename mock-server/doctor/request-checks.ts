import { toWhat } from './calls.ts';
import { toCallEvidence, toSessionEvidence } from './evidence.ts';
import type { Check } from './finding.ts';
import { count, join, some, tally } from './format.ts';

/** Checks the requests to the API. */
export const requestChecks = {
  return_url_not_allowed: {
    why: 'No session is created, so nobody can verify.',
    examine(records) {
      const refused = records.calls.filter(({ messages }) => messages.some(isDomainMessage));
      if (refused.length === 0) return null;
      const hosts = refused.flatMap(({ body, messages }) =>
        messages.map((message) =>
          toHost(body[message.startsWith('Cancel') ? 'cancelUrl' : 'returnUrl']),
        ),
      );
      const allowed = records.tenants
        .filter(({ id }) => refused.some(({ tenantId }) => tenantId === id))
        .flatMap(({ allowedDomains }) => allowedDomains);
      return {
        severity: 'problem',
        title: 'The return address is not among the allowed domains',
        detail: `${count(refused.length, 'session')} refused for ${some(hosts)}; allowed ${allowed.length === 0 ? 'is no domain but localhost' : `are ${some(allowed)}`}.`,
        advice:
          'Add the host to the account’s allowed domains (dashboard, Settings): exactly as it stands in the address, or "*.shop.example" for subdomains.',
        evidence: refused.map(toCallEvidence),
      };
    },
  },

  request_invalid: {
    why: 'A request that is refused for its form is refused every time.',
    examine(records) {
      const refused = records.calls.filter(
        ({ status, messages }) =>
          [400, 413, 415].includes(status) &&
          !messages.some((message) => isDomainMessage(message) || EXPLAINED.has(message)),
      );
      if (refused.length === 0) return null;
      return {
        severity: 'problem',
        title: 'Requests are refused for what stands in them',
        detail: `${count(refused.length, 'request')}: ${some(refused.map((call) => `${toWhat(call)} answered ${call.status} ${call.messages.join('; ')}`))}.`,
        advice:
          'Correct what the messages name; several may stand in one answer. The server kit (ofage/server) sends only what the API knows.',
        evidence: refused.map(toCallEvidence),
      };
    },
  },

  path_unknown: {
    why: 'The request reaches the service, and nothing happens.',
    examine(records) {
      const lost = records.calls.filter(({ operation }) => operation === null);
      if (lost.length === 0) return null;
      return {
        severity: 'warning',
        title: 'Requests go to addresses that there are not',
        detail: `${count(lost.length, 'request')}: ${tally(lost.map(({ method, path }) => `${method} ${path}`))}.`,
        advice:
          'The API has two operations: POST /api/v1/sessions/create and POST /api/v1/sessions/validate. Check that the base address is not put before the path twice.',
        evidence: lost.map(toCallEvidence),
      };
    },
  },

  rate_limited: {
    why: 'All keys of an account share one limit a minute; while it is used up, shoppers wait.',
    examine(records) {
      const limited = records.calls.filter(({ status }) => status === 429);
      if (limited.length === 0) return null;
      const limits = (['create', 'validate'] as const).flatMap((operation) => {
        const calls = limited.filter((call) => call.operation === operation);
        const tenant = records.tenants.find(({ id }) => id === calls[0]?.tenantId);
        return calls.length === 0
          ? []
          : [`${calls.length} of ${operation} (${tenant?.rateLimits[operation] ?? '?'} a minute)`];
      });
      return {
        severity: 'warning',
        title: 'The rate limit was hit',
        detail: `${count(limited.length, 'request')} answered 429: ${join(limits)}.`,
        advice:
          'Do not poll validate: call it when the shopper returns. After a 429 wait as long as X-RateLimit-Retry-After says.',
        evidence: limited.map(toCallEvidence),
      };
    },
  },

  launch_unavailable: {
    why: 'Without its publishable partner a secret key cannot start a verification.',
    examine(records) {
      const refused = records.calls.filter(({ status }) => status === 503);
      if (refused.length === 0) return null;
      return {
        severity: 'problem',
        title: 'Sessions cannot be launched',
        detail: `${count(refused.length, 'call')} of create answered 503, with ${some(refused.map(({ credential }) => String(credential)))}.`,
        advice:
          'Make the publishable key of the pair active again, or use another pair. Do not build an address from the session id instead.',
        evidence: refused.map(toCallEvidence),
      };
    },
  },

  user_missing: {
    why: 'A session that is nobody’s can be brought along by anybody: a shopper may return with the session of somebody older.',
    examine(records) {
      const nobodys = records.sessions.filter(({ externalUserId }) => externalUserId === null);
      if (nobodys.length === 0) return null;
      return {
        severity: 'warning',
        title: 'Sessions do not say whose they are',
        detail: `${nobodys.length} of ${count(records.sessions.length, 'session')} without externalUserId (${some(nobodys.map(({ id }) => id))}).`,
        advice:
          'Give externalUserId when the session is created, an id of the shopper or of their browser session, and compare it with the one in the answer of validate.',
        evidence: nobodys.map(toSessionEvidence),
      };
    },
  },
} as const satisfies Record<string, Check>;

/** Refusals that have a separate finding. */
const EXPLAINED: ReadonlySet<string> = new Set([
  'Session has expired',
  'Session has already been used',
  'property sessionToken should not exist',
]);

function isDomainMessage(message: string): boolean {
  return /^(Return|Cancel) URL domain not allowed$/.test(message);
}

function toHost(url: unknown): string {
  return typeof url === 'string' && URL.canParse(url) ? new URL(url).hostname : String(url);
}
