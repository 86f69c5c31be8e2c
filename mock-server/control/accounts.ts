import type { TenantInput } from './input-types.ts';
import type { TenantResource } from './resources.ts';
import type { RoutesOf } from './route.ts';

/** Manages accounts and their configuration. */
export interface AccountControl {
  tenants(): Promise<TenantResource[]>;
  tenant(id: string): Promise<TenantResource>;
  createTenant(input?: TenantInput): Promise<TenantResource>;
  updateTenant(id: string, change: TenantInput): Promise<TenantResource>;
}

export const accountRoutes = {
  tenants: { method: 'GET', path: '/tenants', items: 'all' },
  createTenant: { method: 'POST', path: '/tenants' },
  tenant: { method: 'GET', path: '/tenants/{id}' },
  updateTenant: { method: 'PATCH', path: '/tenants/{id}' },
} as const satisfies RoutesOf<AccountControl>;
