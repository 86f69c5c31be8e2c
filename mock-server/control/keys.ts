import type { KeyRow } from '../core/tables.ts';
import type { KeyPairResource, KeyResource } from './resources.ts';
import type { RoutesOf } from './route.ts';

/** API keys. */
export interface KeyControl {
  keyPairs(tenantId: string): Promise<KeyPairResource[]>;
  createKeyPair(tenantId: string): Promise<KeyPairResource>;
  /** Pauses (403), revokes (401, for good) or resumes a key. */
  setKeyStatus(id: string, status: KeyRow['status']): Promise<KeyResource>;
  /** Revokes a key for good: calls with it are answered 401. */
  revokeKey(id: string): Promise<KeyResource>;
}

export const keyRoutes = {
  keyPairs: { method: 'GET', path: '/tenants/{id}/key-pairs', items: 'all' },
  createKeyPair: { method: 'POST', path: '/tenants/{id}/key-pairs' },
  setKeyStatus: { method: 'PATCH', path: '/keys/{id}', field: 'status' },
  revokeKey: { method: 'DELETE', path: '/keys/{id}' },
} as const satisfies RoutesOf<KeyControl>;
