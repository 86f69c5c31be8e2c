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

/**
 * Returns the secret for the account's first endpoint, which is then no longer reserved. A copy would outlive
 * the rotation of the secret, and the endpoint. Returns undefined if no secret is reserved.
 */
export function takeReservedSecret(db: Db, tenantId: string): string | undefined {
  const secret = findReservedSecret(db, tenantId);
  db.delete('settings', toReservedId(tenantId));
  return secret;
}

export function reserveSecret(db: Db, tenantId: string, secret: string): void {
  db.put('settings', { id: toReservedId(tenantId), value: secret });
}
