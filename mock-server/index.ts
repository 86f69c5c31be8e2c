/**
 * The mock provider inside your own process or page. Requests reach it through MSW or its `fetch`.
 *
 * @module ofage-mock
 */
import { createHandlers, type MswHandlers } from './hosts/msw.ts';
import {
  createMockService as createService,
  type MockService as Service,
  type ServiceOptions,
} from './service/service.ts';

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
 * import { createMockService } from 'ofage-mock';
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
      handlers ??= createHandlers(service);
      return handlers;
    },
  };
  // The service is not spread into the object, because reading its getter `ready` opens the service.
  return Object.defineProperties(own, Object.getOwnPropertyDescriptors(service)) as MockService;
}

// The service and its parts
export type { DemoTenant, ServiceOptions } from './service/service.ts';
export type { RealClock } from './store/clock.ts';
export type { Resolve } from './send/destination.ts';
export type {
  Sender,
  WebhookFailure,
  WebhookRefusal,
  WebhookRequest,
  WebhookResult,
} from './send/sender.ts';
export type { MswHandlers } from './hosts/msw.ts';
export type { Log } from './store/log.ts';
export { createIndexedDbLog, type IndexedDbLogOptions } from './store/logs/indexeddb.ts';

// Catalogues: scenarios and event kinds
export { SCENARIOS, type Scenario, type ScenarioName } from './api/scenarios.ts';
export { EVENT_KINDS, type EventKind } from './store/event-kinds.ts';

// Control of a service: `service.control` and `service.clock`
export type { Control } from './api/control.ts';
export type { WebhookControl } from './api/webhooks.ts';
export type { ClockReading, ServiceClock } from './api/clock.ts';

// Inputs
export type { AccountInput, TenantInput } from './api/accounts.ts';
export type { EndpointChangeInput, EndpointInput } from './api/endpoints.ts';
export type { ExplainInput, LegacyWebhookInput, TriggerInput } from './api/webhooks.ts';
export type { DeliveryFilter, EventFilter } from './api/deliveries.ts';
export type {
  SessionCounts,
  SessionFilter,
  SessionSearch,
  SessionStatistics,
  SessionStatisticsFilter,
} from './api/sessions.ts';
export type { RequestFilter } from './api/requests.ts';
export type { ChangeFilter, ChangeSubject } from './api/changes.ts';
export type { ReportFilter } from './api/reports.ts';
export type { FaultInput } from './api/faults.ts';
export type { ObservationInput } from './api/doctor.ts';
export type { ObservationKind } from './store/observations.ts';
export type { SnapshotInput } from './api/state.ts';

// Results
export type { Demo } from './api/state.ts';
export type {
  PublicAddressResource,
  ScenarioResource,
  StateResource,
  WebhookHoldResource,
} from './api/state.ts';
export type {
  AttemptResource,
  DeliveryResource,
  DeliveryWait,
  EventResource,
} from './api/deliveries.ts';
export type { SessionResource, SessionStepResource } from './api/sessions.ts';
export type { EndpointResource, NewEndpointResource } from './api/endpoints.ts';
export type { FaultResource } from './api/faults.ts';
export type { KeyPairResource, KeyResource } from './api/keys.ts';
export type { TenantResource } from './api/accounts.ts';
export type { RequestResource } from './api/requests.ts';
export type { ChangeResource } from './api/changes.ts';
export type { ChangedValue, ChangeKind } from './store/change-kinds.ts';
export type { ReportResource } from './api/reports.ts';
export type { ReportFacts, ReportKind } from './store/report-kinds.ts';
export type { ObservationResource } from './api/doctor.ts';
export type { EmailResource, LegacyWebhookResource, NoticeResource } from './api/webhooks.ts';
export type { WebhookTestResource } from './api/endpoints.ts';
export type { HealthResource } from './api/endpoints.ts';
export type { Redelivery } from './api/endpoints.ts';
export type { Snapshot } from './api/state.ts';
export type { BillingBlock, Device, Member, Policy, VerificationMode } from './store/rows.ts';
export type { DeliveryPolicy } from './store/event-kinds.ts';
export type { TableName } from './store/tables.ts';
export type { DeliveryStatus, PauseReason } from './store/rows.ts';
export type { EndpointState } from './api/endpoints.ts';

// Findings: explained signatures and the doctor
export type { Explanation, Finding, FindingCode } from './api/webhooks.ts';
export type { Doctor, DoctorFilter, DoctorReport } from './api/doctor.ts';
export type {
  DoctorCode,
  DoctorEvidence,
  DoctorFinding,
  DoctorSeverity,
  DoctorUntried,
  DoctorUntriedCode,
} from './api/doctor.ts';
