import type { ClockReading, ServiceClock } from './clock.ts';
import type { KeyRow } from '../core/tables.ts';
import type { Destination } from '../delivery/destination.ts';
import type { WebhookTester } from '../delivery/webhook-tester.ts';
import type { Demo } from '../rules/demo.ts';
import {
  createEndpoint,
  deleteEndpoint,
  EVENT_KINDS,
  getEndpoint,
  updateEndpoint,
  type NewEndpoint,
} from '../rules/endpoints.ts';
import { createKeyPair, setKeyStatus } from '../rules/keys.ts';
import { parseInput } from '../rules/parse-input.ts';
import type { ScenarioName } from '../rules/scenarios.ts';
import { getSession, settleSession } from '../rules/session-life.ts';
import { createTenant, getTenant, updateTenant } from '../rules/tenants.ts';
import { createDoctor, type Doctor, type DoctorParts } from './doctor.ts';
import type { EndpointChangeInput, EndpointInput, TenantInput } from './input-types.ts';
import { endpointChange, endpointInput, keyChange, outcomeInput, tenantInput } from './inputs.ts';
import { judge } from './judge.ts';
import {
  listDeliveries,
  listEvents,
  listKeyPairs,
  listSessions,
  type DeliveryFilter,
  type EventFilter,
  type SessionFilter,
} from './lists.ts';
import {
  toEndpointResource,
  toEventResource,
  toFaultResource,
  toKeyPairResource,
  toKeyResource,
  toSessionResource,
  toTenantResource,
  type DeliveryResource,
  type EndpointResource,
  type EventResource,
  type FaultResource,
  type KeyPairResource,
  type KeyResource,
  type NewEndpointResource,
  type SessionResource,
  type TenantResource,
} from './resources.ts';
import { createSteering, type Steering, type SteeringParts } from './steering.ts';
import { createWebhookControl, type WebhookControl } from './webhooks.ts';

export interface StateResource {
  now: string;
  clock: ClockReading;
  tenants: TenantResource[];
  /** What is to go wrong. */
  faults: FaultResource[];
  counts: Record<'sessions' | 'events' | 'deliveries' | 'attempts', number>;
}

/**
 * What the dashboard's buttons do, and what tests ask. Methods reject with an error whose message says what
 * was wrong with the input, or that a thing does not exist.
 */
export interface Control extends Steering, WebhookControl, Doctor {
  state(): Promise<StateResource>;
  /** Forgets everything but the demo account with its keys, and starts the clock anew. */
  reset(): Promise<Demo>;

  tenants(): Promise<TenantResource[]>;
  tenant(id: string): Promise<TenantResource>;
  createTenant(input?: TenantInput): Promise<TenantResource>;
  updateTenant(id: string, change: TenantInput): Promise<TenantResource>;

  keyPairs(tenantId: string): Promise<KeyPairResource[]>;
  createKeyPair(tenantId: string): Promise<KeyPairResource>;
  /** Pauses (403), revokes (401, for good) or resumes a key. */
  setKeyStatus(id: string, status: KeyRow['status']): Promise<KeyResource>;

  endpoints(tenantId: string): Promise<EndpointResource[]>;
  endpoint(id: string): Promise<EndpointResource>;
  /** Adds a webhook endpoint; without `events` it gets all of them, without `secret` one is made. */
  createEndpoint(tenantId: string, input: EndpointInput): Promise<NewEndpointResource>;
  updateEndpoint(id: string, change: EndpointChangeInput): Promise<EndpointResource>;
  deleteEndpoint(id: string): Promise<void>;

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

export interface ControlParts extends SteeringParts, DoctorParts {
  readonly clock: ServiceClock;
  readonly tester: WebhookTester;
  judgeDestination(url: string): Promise<Destination>;
  reset(): Promise<Demo>;
}

export function createControl(parts: ControlParts): Control {
  const { transact, momentIn, clock } = parts;

  return {
    ...createSteering(parts),
    ...createWebhookControl(parts),
    ...createDoctor(parts),

    async state() {
      const reading = await clock.read();
      return transact((db) => ({
        now: reading.now,
        clock: reading,
        tenants: Array.from(db.all('tenants'), toTenantResource),
        faults: Array.from(db.all('faults'), toFaultResource),
        counts: {
          sessions: db.count('sessions'),
          events: db.count('events'),
          deliveries: db.count('deliveries'),
          attempts: db.count('attempts'),
        },
      }));
    },
    reset: () => parts.reset(),

    tenants: () => transact((db) => Array.from(db.all('tenants'), toTenantResource)),
    tenant: (id) => transact((db) => toTenantResource(getTenant(db, id))),
    createTenant: (input = {}) =>
      transact((db) =>
        toTenantResource(createTenant(db, parseInput(tenantInput, input), momentIn(db))),
      ),
    updateTenant: (id, change) =>
      transact((db) => toTenantResource(updateTenant(db, id, parseInput(tenantInput, change)))),

    keyPairs: (tenantId) => transact((db) => listKeyPairs(db, tenantId)),
    createKeyPair: (tenantId) =>
      transact((db) =>
        toKeyPairResource(createKeyPair(db, getTenant(db, tenantId).id, momentIn(db))),
      ),
    setKeyStatus: (id, status) =>
      transact((db) =>
        toKeyResource(setKeyStatus(db, id, parseInput(keyChange, { status }).status)),
      ),

    endpoints: (tenantId) =>
      transact((db) =>
        db
          .find('endpoints', 'tenantId', getTenant(db, tenantId).id)
          .map((endpoint) => toEndpointResource(db, endpoint, momentIn(db).nowMs)),
      ),
    endpoint: (id) =>
      transact((db) => toEndpointResource(db, getEndpoint(db, id), momentIn(db).nowMs)),
    async createEndpoint(tenantId, input) {
      const endpoint = await toNewEndpoint(input, parts.judgeDestination);
      return transact((db) => {
        const moment = momentIn(db);
        const created = createEndpoint(db, tenantId, endpoint, moment);
        return { ...toEndpointResource(db, created, moment.nowMs), secret: created.secret };
      });
    },
    async updateEndpoint(id, change) {
      const { url, events, enabled, ...rest } = parseInput(endpointChange, change);
      const judged = url == null ? undefined : await judge(url, parts.judgeDestination);
      return transact((db) => {
        const { nowMs } = momentIn(db);
        const wanted = {
          ...rest,
          url: judged,
          events: events ?? undefined,
          enabled: enabled ?? undefined,
        };
        return toEndpointResource(db, updateEndpoint(db, id, wanted, nowMs), nowMs);
      });
    },
    deleteEndpoint: (id) => transact((db) => deleteEndpoint(db, id, momentIn(db).nowMs)),

    session: (id) => transact((db) => toSessionResource(getSession(db, id, momentIn(db)))),
    sessions: (filter = {}) => transact((db) => listSessions(db, filter)),
    settle: (sessionId, scenario) =>
      transact((db) => {
        const { outcome } = parseInput(outcomeInput, { outcome: scenario });
        return toSessionResource(settleSession(db, sessionId, outcome, momentIn(db)));
      }),

    events: (filter = {}) =>
      transact((db) => listEvents(db, filter).map((event) => toEventResource(db, event))),
    deliveries: (filter = {}) => transact((db) => listDeliveries(db, filter)),
  };
}

/** Checks a new endpoint and gives it its defaults. */
export async function toNewEndpoint(
  input: EndpointInput,
  judgeDestination: ControlParts['judgeDestination'],
): Promise<NewEndpoint> {
  const { url, events, pairId, enabled, secret } = parseInput(endpointInput, input);
  return {
    url: await judge(url, judgeDestination),
    events: events ?? EVENT_KINDS,
    pairId: pairId ?? null,
    enabled: enabled ?? true,
    secret,
  };
}

export type { DeliveryFilter, EventFilter, SessionFilter } from './lists.ts';
