import type { Db } from '../core/db.ts';
import type { EndpointHealthRow, EndpointRow } from '../core/tables.ts';
import { ServiceError } from '../core/errors.ts';
import { freshHealth, isFailing } from './health.ts';

/**
 * An endpoint and an address. The deliveries of a lane are paced together. When the endpoint gets another
 * address, what is queued stays in its lane, so that neither address slows the other down.
 */
export interface Lane {
  readonly id: string;
  readonly url: string;
  /** As it is now; its address may be another one. */
  readonly endpoint: EndpointRow;
}

export type LaneState = 'healthy' | 'degraded' | 'failing' | 'paused' | 'disabled';

/** Returns the id of the lane that a delivery is in. */
export function toLaneId({ endpointId, url }: { endpointId: string; url: string }): string {
  return `${endpointId} ${url}`;
}

/**
 * Starts the lane of an endpoint's address. An endpoint that comes back to an address starts again there, but a
 * receiver that asked for quiet keeps it.
 */
export function openLane(db: Db, { id: endpointId, url }: EndpointRow): void {
  const id = toLaneId({ endpointId, url });
  const known = db.get('endpointHealth', id);
  db.put('endpointHealth', {
    ...freshHealth({ id, endpointId, url }),
    holdUntilMs: known?.holdUntilMs ?? null,
    lastSuccessAtMs: known?.lastSuccessAtMs ?? null,
  });
}

/** Returns the lane, unless its endpoint is gone. */
export function findLane(db: Db, laneId: string): Lane | undefined {
  const health = db.get('endpointHealth', laneId);
  const endpoint = health && db.get('endpoints', health.endpointId);
  return endpoint && { id: laneId, url: health.url, endpoint };
}

/**
 * Returns the lane of an endpoint's present address.
 * @throws {ServiceError} not_found when there is no such endpoint
 */
export function getPresentLane(db: Db, endpointId: string): Lane {
  const endpoint = db.get('endpoints', endpointId);
  if (!endpoint) throw new ServiceError('not_found', 'Webhook endpoint not found');
  const { url } = endpoint;
  return { id: toLaneId({ endpointId, url }), url, endpoint };
}

/** Whether the endpoint still has the lane's address. Only what happens there can pause it, or resume it. */
export function isPresent({ url, endpoint }: Lane): boolean {
  return url === endpoint.url;
}

/** Returns the health of each address that the endpoint has had. */
export function lanesOf(db: Db, endpointId: string): EndpointHealthRow[] {
  return db.find('endpointHealth', 'endpointId', endpointId);
}

/** Returns why nothing goes out on the lane and what waits is given up, if so. It holds for every address. */
export function stopOf({ endpoint }: Lane): 'disabled' | 'paused' | null {
  if (!endpoint.enabled) return 'disabled';
  return endpoint.pause ? 'paused' : null;
}

/** Returns how the lane may be used. It is read off the rows, and stored nowhere. */
export function stateOf(lane: Lane, health: EndpointHealthRow): LaneState {
  const stop = stopOf(lane);
  if (stop) return stop;
  if (health.consecutiveFailures === 0) return 'healthy';
  return isFailing(health) ? 'failing' : 'degraded';
}
