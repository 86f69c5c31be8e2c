import type { ScenarioName } from './scenarios.ts';
import type { DeliveryFilter, EventFilter, SessionFilter } from '../service/lists.ts';
import type { DeliveryResource, EventResource, SessionResource } from './resources.ts';
import type { RoutesOf } from './route.ts';

/** The methods for sessions, their events and their deliveries. */
export interface SessionControl {
  /** Returns a session. Unlike a validate call, this does not consume it. */
  session(id: string): Promise<SessionResource>;
  /** Lists sessions, newest first. */
  sessions(filter?: SessionFilter): Promise<SessionResource[]>;
  /** Settles a pending session with a scenario's outcome, without a browser. `never` leaves it pending. */
  settle(sessionId: string, scenario: ScenarioName): Promise<SessionResource>;

  /** Lists events, oldest first. */
  events(filter?: EventFilter): Promise<EventResource[]>;
  /** Lists deliveries with all their attempts, oldest first. */
  deliveries(filter?: DeliveryFilter): Promise<DeliveryResource[]>;
}

export const sessionRoutes = {
  sessions: { method: 'GET', path: '/sessions', items: 'page' },
  session: { method: 'GET', path: '/sessions/{id}' },
  settle: { method: 'POST', path: '/sessions/{id}/outcome', field: 'outcome' },
  events: { method: 'GET', path: '/events', items: 'page' },
  deliveries: { method: 'GET', path: '/deliveries', items: 'page' },
} as const satisfies RoutesOf<SessionControl>;
