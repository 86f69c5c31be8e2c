import type { Db } from '../core/db.ts';
import type { EarlierHealthRow, EndpointHealthRow, Pause } from '../core/tables.ts';
import { freshHealth } from './health.ts';
import { planLane } from './lane-jobs.ts';
import { toLaneId } from './lanes.ts';

/** Upgrades rows that an earlier version wrote. */
export function adoptEarlierState(db: Db, nowMs: number): void {
  adoptLegacyWebhooks(db);
  const health = takeEarlierHealth(db);
  adoptEndpoints(db, health);
  adoptDeliveries(db, health, nowMs);
}

/** Moves legacy webhooks from their former table to the endpoints. */
function adoptLegacyWebhooks(db: Db): void {
  const earlier = [...db.all('legacyWebhooks')];
  for (const legacy of earlier) {
    const { id } = legacy;
    const rest = { tenantId: id, pairId: null, enabled: true, pause: null };
    db.put('endpoints', { ...legacy, ...rest, kind: 'legacy' });
    db.delete('legacyWebhooks', id);
  }
}

/**
 * The health rows of an earlier version. An endpoint had one row for its current address, and one for all
 * its former addresses.
 */
type EarlierHealth = ReadonlyMap<string, EarlierHealthRow>;

function takeEarlierHealth(db: Db): EarlierHealth {
  const found = new Map<string, EarlierHealthRow>();
  for (const row of db.all('endpointHealth')) {
    if (isEarlier(row)) found.set(row.id, row);
  }
  for (const id of found.keys()) db.delete('endpointHealth', id);
  return found;
}

function isEarlier(row: EndpointHealthRow | EarlierHealthRow): row is EarlierHealthRow {
  const { endpointId, url } = row as Partial<EndpointHealthRow>;
  return endpointId === undefined || url === undefined;
}

/** Moves each pause from the health row to the endpoint, and creates the lane of the endpoint's address. */
function adoptEndpoints(db: Db, health: EarlierHealth): void {
  const endpoints = [...db.all('endpoints')];
  for (const endpoint of endpoints) {
    const { id: endpointId, url } = endpoint;
    const known = health.get(endpointId);
    if (known || endpoint.pause === undefined)
      db.put('endpoints', { ...endpoint, pause: toPause(known) });
    adoptLane(db, { endpointId, url }, known);
  }
}

function toPause(health: EarlierHealthRow | undefined): Pause | null {
  if (health?.pausedAtMs == null) return null;
  return { atMs: health.pausedAtMs, reason: health.pauseReason ?? 'failing' };
}

/**
 * Assigns deliveries to lanes. The first versions had no lanes, and the id of later lanes did not contain
 * the address.
 */
function adoptDeliveries(db: Db, health: EarlierHealth, nowMs: number): void {
  const earlier = [...db.all('deliveries')].filter((row) => row.lane !== toLaneId(row));
  const lanes = new Set<string>();
  for (const delivery of earlier) {
    const lane = toLaneId(delivery);
    db.put('deliveries', { ...delivery, lane });
    const { endpointId } = delivery;
    if (db.get('endpoints', endpointId))
      adoptLane(db, delivery, health.get(`${endpointId}~former`));
    lanes.add(lane);
  }
  for (const lane of lanes) planLane(db, lane, nowMs);
}

function adoptLane(
  db: Db,
  { endpointId, url }: { endpointId: string; url: string },
  known: EarlierHealthRow | undefined,
): void {
  const lane = { id: toLaneId({ endpointId, url }), endpointId, url };
  if (db.get('endpointHealth', lane.id)) return;
  if (!known) return void db.put('endpointHealth', freshHealth(lane));
  const { pausedAtMs: _, pauseReason: _reason, pauseNo: _no, ...health } = known;
  db.put('endpointHealth', { ...health, ...lane });
}
