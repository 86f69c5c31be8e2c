import type { Db } from '../store/db.ts';
import type { EndpointHealthRow, EndpointRow } from '../store/tables.ts';
import { ServiceError } from '../store/errors.ts';

/**
 * An endpoint and an address. The deliveries of a lane are paced together. When the endpoint gets another
 * address, queued deliveries stay in their lane, so that neither address slows the other down.
 */
export interface Lane {
  readonly id: string;
  readonly url: string;
  /** The endpoint's current row. Its address may differ from the lane's. */
  readonly endpoint: EndpointRow;
}

/** Returns the id of the lane that a delivery is in. */
export function toLaneId({ endpointId, url }: { endpointId: string; url: string }): string {
  return `${endpointId} ${url}`;
}

/** The health columns of a lane without failures. */
export const NO_FAILURES = {
  consecutiveFailures: 0,
  failingSinceMs: null,
  rejectingSinceMs: null,
} as const satisfies Partial<EndpointHealthRow>;

/** Returns the health of a new lane, to which nothing has been sent. */
export function freshHealth(
  lane: Pick<EndpointHealthRow, 'id' | 'endpointId' | 'url'>,
): EndpointHealthRow {
  return {
    ...lane,
    ...NO_FAILURES,
    lastFailureAtMs: null,
    lastSuccessAtMs: null,
    isLastSuccess: null,
    holdUntilMs: null,
    testToken: null,
    testUntilMs: null,
  };
}

export function healthOf(db: Db, laneId: string): EndpointHealthRow {
  const health = db.get('endpointHealth', laneId);
  if (!health) throw new Error(`There is no lane "${laneId}"`);
  return health;
}

/**
 * Creates or resets the lane of an endpoint's address. If the endpoint had this address before, the
 * receiver's last `Retry-After` still applies, and the time of its last success is kept.
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

/** Returns the lane, or undefined when its endpoint was deleted. */
export function findLane(db: Db, laneId: string): Lane | undefined {
  const health = db.get('endpointHealth', laneId);
  const endpoint = health && db.get('endpoints', health.endpointId);
  return endpoint && { id: laneId, url: health.url, endpoint };
}

/**
 * Returns the lane of an endpoint's current address.
 * @throws {ServiceError} not_found if the endpoint does not exist
 */
export function getCurrentLane(db: Db, endpointId: string): Lane {
  const endpoint = db.get('endpoints', endpointId);
  if (!endpoint) throw new ServiceError('not_found', 'Webhook endpoint not found');
  const { url } = endpoint;
  return { id: toLaneId({ endpointId, url }), url, endpoint };
}

/**
 * Tells whether the endpoint still has the lane's address. Only requests to its current address can pause
 * or resume an endpoint.
 */
export function isCurrentAddress({ url, endpoint }: Lane): boolean {
  return url === endpoint.url;
}

/** Returns the health of each address that the endpoint has had. */
export function lanesOf(db: Db, endpointId: string): EndpointHealthRow[] {
  return db.find('endpointHealth', 'endpointId', endpointId);
}

/**
 * Returns the reason why the lane sends nothing and ends its waiting deliveries, or null if it sends. The
 * reason applies to every address of the endpoint.
 */
export function stopOf({ endpoint }: Lane): 'disabled' | 'paused' | null {
  if (!endpoint.enabled) return 'disabled';
  return endpoint.pause ? 'paused' : null;
}
