import { listNextOutcomes } from '../accounts/next-outcomes.ts';
import { listPairs } from '../accounts/keys.ts';
import type { Db } from '../core/db.ts';
import type { AccountAtStart, FaultAtStart, FaultRow, TenantRow } from '../core/tables.ts';
import { endpointsOf } from '../webhooks/endpoints.ts';
import { healthOf } from '../webhooks/health.ts';
import { getCurrentLane } from '../webhooks/lanes.ts';
import { findLegacyWebhook } from '../webhooks/legacy-webhook.ts';
import { SECRET } from '../control/without-secrets.ts';

/** Describes an account as the inputs of the operations that recreate it. */
export function describeAccount(db: Db, tenant: TenantRow): AccountAtStart {
  const { id, createdAtMs: _createdAtMs, ...settings } = tenant;
  const legacy = findLegacyWebhook(db, id);
  return {
    id,
    settings,
    pairs: listPairs(db, id).map(({ pairId, publishable, secret }) => ({
      id: pairId,
      keys: [publishable, secret].map((key) => ({ id: key.id, status: key.status })),
    })),
    endpoints: endpointsOf(db, id).map((endpoint) => {
      const { url, events, pairId, enabled, secret } = endpoint;
      const settings = { url, events, pairId, enabled, ...toSecret(secret) };
      const isWorking =
        enabled && healthOf(db, getCurrentLane(db, endpoint.id).id).isLastSuccess === true;
      return { id: endpoint.id, settings, isWorking };
    }),
    legacyWebhook: legacy
      ? { url: legacy.url, events: legacy.events, ...toSecret(legacy.secret) }
      : null,
    nextOutcomes: listNextOutcomes(db, id),
  };
}

export function describeFault(row: FaultRow): FaultAtStart {
  const { id, operation, fault, remaining, tenantId, delayMs } = row;
  return { id, settings: { operation, fault, count: remaining, tenantId, delayMs } };
}

/**
 * Replaces a secret with a placeholder. Null stays null, because an endpoint without a secret sends
 * unsigned webhooks.
 */
function toSecret(secret: string | null): { secret: string | null } {
  return { secret: secret === null ? null : SECRET };
}
