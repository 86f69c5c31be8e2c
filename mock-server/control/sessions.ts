import type { ScenarioName } from '../sessions/scenarios.ts';
import type { DeliveryFilter, EventFilter, SessionFilter } from './lists.ts';
import type { DeliveryResource, EventResource, SessionResource } from './resources.ts';
import type { RoutesOf } from './route.ts';

/** Sessions and their results. */
export interface SessionControl {
  session(id: string): Promise<SessionResource>;
  /** Newest first. */
  sessions(filter?: SessionFilter): Promise<SessionResource[]>;
  /** Ends a pending session as a scenario says, with no browser. */
  settle(sessionId: string, scenario: ScenarioName): Promise<SessionResource>;

  /** Oldest first. */
  events(filter?: EventFilter): Promise<EventResource[]>;
  /** Oldest first, with every attempt. */
  deliveries(filter?: DeliveryFilter): Promise<DeliveryResource[]>;
}

export const sessionRoutes = {
  sessions: { method: 'GET', path: '/sessions', items: 'page' },
  session: { method: 'GET', path: '/sessions/{id}' },
  settle: { method: 'POST', path: '/sessions/{id}/outcome', field: 'outcome' },
  events: { method: 'GET', path: '/events', items: 'page' },
  deliveries: { method: 'GET', path: '/deliveries', items: 'page' },
} as const satisfies RoutesOf<SessionControl>;
