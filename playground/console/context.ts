import type { ReadonlySignal } from '@preact/signals';
import type { TenantResource } from 'ofage-mock';
import type { Provider } from '../shared/provider.ts';
import type { Route, RouteTarget } from './route.ts';

/** The data and functions that every page of the console uses. */
export interface Context {
  readonly provider: Provider;
  /** The account on display. */
  readonly tenant: TenantResource;
  readonly tenants: readonly TenantResource[];
  readonly route: Route;
  /** The time on the service's clock, updated every second. */
  readonly nowMs: ReadonlySignal<number>;
  /** Returns a link inside the console that keeps the account on display. */
  href(target: RouteTarget): string;
  go(target: RouteTarget): void;
}
