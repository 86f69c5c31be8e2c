import type { Db } from '../store/db.ts';

/**
 * The id of the setting with the webhook secret that waits for the account's first endpoint. The secret can
 * be in an .env file before there is an endpoint.
 */
export const toReservedId = (tenantId: string): string => RESERVED_PREFIX + tenantId;

export const RESERVED_PREFIX = 'webhook-secret:';

/** Returns undefined if no secret is reserved. */
export function findReservedSecret(db: Db, tenantId: string): string | undefined {
  return db.get('settings', toReservedId(tenantId))?.value;
}

/** Ends the reservation of an endpoint's secret that was rotated or deleted, because it would outlive it. */
export function forgetReservedSecret(db: Db, tenantId: string, secret: string | null): void {
  if (findReservedSecret(db, tenantId) === secret) db.delete('settings', toReservedId(tenantId));
}

/** The secret stays reserved, so that a reset gives the first endpoint the same secret. */
export function reserveSecret(db: Db, tenantId: string, secret: string): void {
  db.put('settings', { id: toReservedId(tenantId), value: secret });
}
