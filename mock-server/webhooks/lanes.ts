import type { Db } from '../core/db.ts';
import type { EndpointHealthRow } from '../core/tables.ts';
import { healthOf, isFailing } from './health.ts';

/**
 * Deliveries that are paced together, because they go to one address. An endpoint has one lane; once its
 * address was changed it has another one for what is queued for former addresses, so that neither slows the
 * other down, or gets it paused.
 */
export interface Lane {
  readonly id: string;
  readonly endpointId: string;
  readonly tenantId: string;
  /** The present address; that of a former lane stands in each delivery. */
  readonly url: string;
  readonly isEnabled: boolean;
  readonly isFormer: boolean;
  /** Signs every request of this moment, also one for an old event. */
  readonly secret: string | null;
  readonly secretVersion: number;
}

export type LaneState = 'healthy' | 'degraded' | 'failing' | 'paused' | 'disabled';

/** The lane, unless its endpoint is gone. */
export function laneOf(db: Db, laneId: string): Lane | undefined {
  const endpointId = toEndpointId(laneId);
  const endpoint = db.get('endpoints', endpointId);
  if (!endpoint) return undefined;
  const { tenantId, url, enabled: isEnabled, secret, secretVersion } = endpoint;
  const isFormer = laneId !== endpointId;
  return { id: laneId, endpointId, tenantId, url, isEnabled, isFormer, secret, secretVersion };
}

/** The lane of an endpoint's deliveries to former addresses. */
export function formerLaneId(endpointId: string): string {
  return endpointId + FORMER;
}

/** How the lane may be used. It is read off the rows, and stored nowhere. */
export function stateOf(
  db: Db,
  lane: Lane,
  health: EndpointHealthRow = healthOf(db, lane.id),
): LaneState {
  if (!lane.isEnabled) return 'disabled';
  // A pause is the endpoint's, whatever the address.
  const { pausedAtMs } = lane.isFormer ? healthOf(db, lane.endpointId) : health;
  if (pausedAtMs !== null) return 'paused';
  if (health.consecutiveFailures === 0) return 'healthy';
  return isFailing(health) ? 'failing' : 'degraded';
}

const FORMER = '~former';

function toEndpointId(laneId: string): string {
  return laneId.endsWith(FORMER) ? laneId.slice(0, -FORMER.length) : laneId;
}
