import type { Demo } from '../accounts/demo.ts';
import type { Scenario, ScenarioName } from '../sessions/scenarios.ts';
import type { ClockReading } from './clock.ts';
import type { FaultResource, TenantResource } from './resources.ts';
import type { RoutesOf } from './route.ts';
import type { Snapshot } from './snapshot.ts';

export interface StateResource {
  now: string;
  clock: ClockReading;
  tenants: TenantResource[];
  /** The injected faults. */
  faults: FaultResource[];
  counts: Record<'sessions' | 'events' | 'deliveries' | 'attempts', number>;
}

/** An entry of the outcome catalogue. */
export interface ScenarioResource extends Scenario {
  readonly name: ScenarioName;
}

/** The state as a whole. */
export interface StateControl {
  state(): Promise<StateResource>;
  /** Deletes everything except the demo account with its keys, and restarts the clock. */
  reset(): Promise<Demo>;
  /** The outcome catalogue. */
  scenarios(): Promise<readonly ScenarioResource[]>;
  /** The whole state, secrets included, as plain JSON. */
  snapshot(): Promise<Snapshot>;
  /**
   * Puts a saved state in the place of this one, its time included: what had five minutes left when it was
   * saved has five minutes left. Rejects with a sentence when it is not a snapshot that this version reads.
   */
  loadSnapshot(snapshot: unknown): Promise<void>;
}

export const stateRoutes = {
  state: { method: 'GET', path: '/state' },
  reset: { method: 'POST', path: '/reset' },
  scenarios: { method: 'GET', path: '/scenarios', items: 'all' },
  snapshot: { method: 'GET', path: '/snapshot' },
  loadSnapshot: { method: 'PUT', path: '/snapshot' },
} as const satisfies RoutesOf<StateControl>;
