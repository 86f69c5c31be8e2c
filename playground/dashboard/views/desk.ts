import type { ReadonlySignal } from '@preact/signals';
import type { TenantResource } from 'ofage/mock';
import type { Provider } from '../../shared/provider.ts';
import type { Route, RouteTarget } from '../route.ts';

/** What every section works with. */
export interface Desk {
  readonly provider: Provider;
  /** The account that is looked at. */
  readonly tenant: TenantResource;
  readonly tenants: readonly TenantResource[];
  readonly route: Route;
  /** The provider's clock, each second. */
  readonly nowMs: ReadonlySignal<number>;
  /** An address inside the dashboard, for the account that is looked at. */
  href(target: RouteTarget): string;
  go(target: RouteTarget): void;
}
