/**
 * The mock provider inside your own process or page. Requests reach it through MSW or its `fetch`.
 *
 * @module ofage/mock
 */
import { createHandlers, type MswHandlers } from './hosts/msw.ts';
import {
  createMockService as createService,
  type MockService as Service,
  type ServiceOptions,
} from './service.ts';

export interface MockService extends Service {
  /** The handlers for MSW: `setupServer(...handlers)` in Node, `setupWorker(...handlers)` in a page. */
  readonly handlers: MswHandlers;
}

/**
 * Creates a mock of the whole provider as one object: sessions, the hosted page's API, webhooks, and a
 * clock that can be advanced.
 *
 * It costs almost nothing and starts no timer until it is first used. It does not keep an idle process
 * alive.
 *
 * @param options The storage and the contents of the state, the clock, and the webhooks.
 * @returns The service. `ready` resolves with the id, keys and webhook secret of the first account.
 * @example
 * ```ts
 * import { setupServer } from 'msw/node';
 * import { createMockService } from 'ofage/mock';
 *
 * const service = createMockService({ clock: { frozen: true } });
 * const server = setupServer(...service.handlers);
 * server.listen();
 *
 * const { secretKey } = await service.ready;
 * const response = await fetch('https://api.ofage.example/api/v1/sessions/create', {
 *   method: 'POST',
 *   headers: { authorization: `Bearer ${secretKey}`, 'content-type': 'application/json' },
 *   body: JSON.stringify({ returnUrl: 'http://localhost:3000/return' }),
 * });
 * const { sessionId } = (await response.json()) as { sessionId: string };
 * await service.control.settle(sessionId, 'verified');
 * await service.clock.advance(600_000);
 * ```
 * @see https://mswjs.io/docs/
 */
export function createMockService(options: ServiceOptions = {}): MockService {
  const service = createService(options);
  let handlers: MswHandlers | undefined;
  const own = {
    // The handlers are created on demand, because a service that is used only through `fetch` needs none.
    get handlers() {
      return (handlers ??= createHandlers(service));
    },
  };
  // The service is not spread into the object, because reading its getter `ready` opens the service.
  return Object.defineProperties(own, Object.getOwnPropertyDescriptors(service)) as MockService;
}

// The service and its parts
export type { DemoTenant, ServiceOptions } from './service.ts';
export type { RealClock } from './core/clock.ts';
export type { Resolve } from './delivery/destination.ts';
export type {
  Sender,
  WebhookFailure,
  WebhookRefusal,
  WebhookRequest,
  WebhookResult,
} from './delivery/sender.ts';
export type { MswHandlers } from './hosts/msw.ts';
export type { Log } from './core/log.ts';
export { createIndexedDbLog, type IndexedDbLogOptions } from './logs/indexeddb.ts';

// Catalogues: scenarios and event kinds
export { SCENARIOS, type Scenario, type ScenarioName } from './sessions/scenarios.ts';
export { EVENT_KINDS, type EventKind } from './core/event-kinds.ts';

// Control of a service: `service.control` and `service.clock`
export type { Control } from './control/control.ts';
export type { WebhookControl } from './control/webhooks.ts';
export type { ClockReading, ServiceClock } from './control/clock.ts';

// Inputs
export type {
  AccountInput,
  EndpointChangeInput,
  EndpointInput,
  ExplainInput,
  LegacyWebhookInput,
  TenantInput,
  TriggerInput,
} from './control/input-types.ts';
export type { DeliveryFilter, EventFilter, SessionFilter } from './control/lists.ts';
export type { RequestFilter } from './control/requests.ts';
export type { FaultInput } from './control/steering.ts';
export type { ObservationInput, ObservationKind } from './control/observations.ts';
export type { SnapshotInput } from './control/state.ts';

// Results
export type { Demo } from './accounts/demo.ts';
export type { ScenarioResource, StateResource } from './control/state.ts';
export type {
  AttemptResource,
  DeliveryResource,
  EndpointResource,
  EventResource,
  FaultResource,
  KeyPairResource,
  KeyResource,
  NewEndpointResource,
  SessionResource,
  TenantResource,
} from './control/resources.ts';
export type { RequestResource } from './control/requests.ts';
export type { ObservationResource } from './control/observations.ts';
export type {
  EmailResource,
  HealthResource,
  LegacyWebhookResource,
  NoticeResource,
  WebhookTestResource,
} from './control/webhook-resources.ts';
export type { Redelivery } from './webhooks/redelivery.ts';
export type { Snapshot } from './control/snapshot.ts';
export type {
  BillingBlock,
  DeliveryPolicy,
  DeliveryStatus,
  Device,
  Member,
  PauseReason,
  Policy,
  TableName,
  VerificationMode,
} from './core/tables.ts';
export type { LaneState } from './webhooks/pacing.ts';

// Findings: explained signatures and the doctor
export type { Explanation, Finding, FindingCode } from './delivery/explain-signature.ts';
export type { Doctor, DoctorFilter, DoctorReport } from './control/doctor.ts';
export type {
  DoctorCode,
  DoctorEvidence,
  DoctorFinding,
  DoctorSeverity,
} from './doctor/finding.ts';
