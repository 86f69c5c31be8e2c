import type { KeyRow } from '../store/tables.ts';
import type { KeyPairResource, KeyResource } from './resources.ts';
import type { RoutesOf } from './route.ts';

export interface KeyControl {
  /** Lists an account's key pairs, oldest first, including paused and revoked keys. */
  keyPairs(tenantId: string): Promise<KeyPairResource[]>;
  /** Adds a pair of random keys to an account. Its other keys stay valid. */
  createKeyPair(tenantId: string): Promise<KeyPairResource>;
  /**
   * Pauses, resumes or revokes a key. Calls with a paused key are refused with 403. A revoked key stays
   * revoked, and calls with it are refused with 401.
   */
  setKeyStatus(id: string, status: KeyRow['status']): Promise<KeyResource>;
  /** Revokes a key permanently. Calls with it are refused with 401. */
  revokeKey(id: string): Promise<KeyResource>;
}

export const keyRoutes = {
  keyPairs: { method: 'GET', path: '/tenants/{id}/key-pairs', items: 'all' },
  createKeyPair: { method: 'POST', path: '/tenants/{id}/key-pairs' },
  setKeyStatus: { method: 'PATCH', path: '/keys/{id}', field: 'status' },
  revokeKey: { method: 'DELETE', path: '/keys/{id}' },
} as const satisfies RoutesOf<KeyControl>;
