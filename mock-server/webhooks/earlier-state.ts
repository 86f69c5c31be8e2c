import type { Db } from '../core/db.ts';

/** Brings what an earlier version wrote into the present form: see the rows of core/webhook-rows.ts. */
export function adoptEarlierState(db: Db): void {
  adoptLegacyWebhooks(db);
  addLanes(db);
}

/** The legacy webhook had a table of its own. */
function adoptLegacyWebhooks(db: Db): void {
  const earlier = [...db.all('legacyWebhooks')];
  for (const legacy of earlier) {
    const { id } = legacy;
    db.put('endpoints', { ...legacy, kind: 'legacy', tenantId: id, pairId: null, enabled: true });
    db.delete('legacyWebhooks', id);
  }
}

/** Deliveries had no lane. */
function addLanes(db: Db): void {
  const old = [...db.all('deliveries')].filter(({ lane }) => lane === undefined);
  for (const delivery of old) db.put('deliveries', { ...delivery, lane: delivery.endpointId });
}
