import type { TenantInput } from './input-types.ts';
import type { TenantResource } from './resources.ts';
import type { RoutesOf } from './route.ts';

export interface AccountControl {
  /** Lists the accounts, oldest first. */
  tenants(): Promise<TenantResource[]>;
  /** Returns an account, without its keys and endpoints. */
  tenant(id: string): Promise<TenantResource>;
  /** Adds an account, without keys. `createKeyPair` adds a pair. */
  createTenant(input?: TenantInput): Promise<TenantResource>;
  /** Changes the given settings of an account. */
  updateTenant(id: string, change: TenantInput): Promise<TenantResource>;
}

export const accountRoutes = {
  tenants: { method: 'GET', path: '/tenants', items: 'all' },
  createTenant: { method: 'POST', path: '/tenants' },
  tenant: { method: 'GET', path: '/tenants/{id}' },
  updateTenant: { method: 'PATCH', path: '/tenants/{id}' },
} as const satisfies RoutesOf<AccountControl>;
