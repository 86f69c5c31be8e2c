import { type DoctorCheck, toHookEvidence } from './finding.ts';
import { duration, some } from './format.ts';
import { toCount } from '../words/counts.ts';
import type { Hook, Records } from './records.ts';

/** Checks of the configuration of webhook endpoints, and of their pauses. */
export const endpointChecks = {
  webhook_missing: {
    why: 'A shopper who closes the window after the verification never returns, and the shop never learns the result.',
    examine(records) {
      const without = records.tenants.filter(
        ({ id }) =>
          records.sessions.some(({ tenantId }) => tenantId === id) &&
          !records.demoTenantIds.includes(id) &&
          !enabled(records).some(({ tenantId }) => tenantId === id),
      );
      if (without.length === 0) return null;
      const disabled = records.hooks.filter(({ tenantId }) =>
        without.some(({ id }) => id === tenantId),
      );
      return {
        severity: 'warning',
        title: 'No webhook endpoint receives events',
        detail: `${toCount(without.length, 'account')} with sessions but no enabled endpoint: ${some(without.map(({ name }) => name))}.${disabled.length === 0 ? '' : ` ${toCount(disabled.length, 'endpoint')} disabled.`}`,
        advice:
          'Add an endpoint for verification.completed, verification.failed and verification.cancelled, and verify the signature of each webhook.',
        evidence: disabled.map(toHookEvidence),
      };
    },
  },

  webhook_unsigned: {
    why: 'Anyone who finds the URL can send it a verification.completed event.',
    examine(records) {
      const unsigned = enabled(records).filter(({ hasSecret }) => !hasSecret);
      if (unsigned.length === 0) return null;
      return {
        severity: 'problem',
        title: 'Webhooks are sent without a signature',
        detail: `${toCount(unsigned.length, 'endpoint')} without a secret: ${some(unsigned.map(({ url }) => url))}.`,
        advice:
          'Set a secret for the endpoint, and verify x-ofage-signature over the raw body before you use the event.',
        evidence: unsigned.map(toHookEvidence),
      };
    },
  },

  webhook_not_https: {
    why: 'Production accepts only https URLs, because plain http can be read and changed in transit.',
    examine(records) {
      const open = enabled(records).filter(({ url }) => url.startsWith('http:'));
      if (open.length === 0) return null;
      return {
        severity: 'warning',
        title: 'A webhook URL uses plain http',
        detail: `${toCount(open.length, 'endpoint')} that only this mock accepts: ${some(open.map(({ url }) => url))}. Production says: ${some(open.flatMap(toRefusal))}.`,
        advice:
          'This is fine for development on this machine. Before you go live, use a public https URL.',
        evidence: open.map(toHookEvidence),
      };
    },
  },

  webhook_not_public: {
    why: 'Production refuses addresses that are not reachable from the Internet.',
    examine(records) {
      const hidden = enabled(records).filter(
        ({ url, productionRefusal }) => productionRefusal !== null && !url.startsWith('http:'),
      );
      if (hidden.length === 0) return null;
      return {
        severity: 'warning',
        title: 'A webhook URL works only on this machine',
        detail: `${toCount(hidden.length, 'endpoint')} that only this mock accepts: ${some(hidden.map(({ url }) => url))}. Production says: ${some(hidden.flatMap(toRefusal))}.`,
        advice:
          'This is fine for development on this machine. Before you go live, use a URL whose host resolves only to public addresses.',
        evidence: hidden.map(toHookEvidence),
      };
    },
  },

  webhook_paused: {
    why: 'A paused endpoint receives nothing. Events are recorded as not delivered until it is resumed.',
    examine(records) {
      const paused = records.hooks.filter(({ health }) => health.pausedAt !== null);
      if (paused.length === 0) return null;
      const states = paused.map(({ url, health }) => {
        const since = duration(Math.max(0, records.nowMs - Date.parse(health.pausedAt ?? '')));
        return `${url} (${health.pauseReason}, paused ${since} ago, ${toCount(health.undelivered, 'event')} not delivered)`;
      });
      return {
        severity: 'problem',
        title: 'A webhook endpoint is paused',
        detail: `${some(states)}.`,
        advice:
          'Fix the receiver, then use Test and resume; a 2xx response ends the pause. After that, use Redeliver to send the missed events of the last seven days.',
        evidence: paused.map(toHookEvidence),
      };
    },
  },
} as const satisfies Record<string, DoctorCheck>;

function enabled(records: Records): Hook[] {
  return records.hooks.filter((hook) => hook.enabled);
}

function toRefusal({ productionRefusal }: Hook): string[] {
  return productionRefusal === null ? [] : [productionRefusal];
}
