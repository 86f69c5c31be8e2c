/**
 * The control API of a mock that runs in another process, and a guard for other servers of this computer.
 *
 * @module ofage-mock/client
 */
export { ControlError, createControlClient } from './api/client.ts';
export type {
  ControlCall,
  ControlClient,
  ControlClientOptions,
  ControlErrorCode,
  ControlMethod,
  ControlPages,
  LiveTopic,
  Page,
  StreamOptions,
} from './api/client.ts';
export { guardLocalServer, type LocalGuardOptions } from './service/http/local-guard.ts';
export type { Control } from './api/control.ts';
export type { ServiceClock } from './api/clock.ts';
export { describeChange } from './api/changes.ts';
export { describeReport } from './api/reports.ts';
export { EVENT_KINDS } from './store/event-kinds.ts';
export { SCENARIOS } from './api/scenarios.ts';
