/**
 * The control API of a mock that runs in another process.
 *
 * @module ofage/mock/client
 */
export { createControlClient } from './api/client.ts';
export type {
  ControlCall,
  ControlClient,
  ControlClientOptions,
  ControlMethod,
  ControlPages,
  Page,
  StreamOptions,
} from './api/client.ts';
export type { Control } from './api/control.ts';
export type { ServiceClock } from './api/clock.ts';
export type { LiveTopic } from './api/client.ts';
export { EVENT_KINDS } from './store/event-kinds.ts';
export { SCENARIOS } from './api/scenarios.ts';
export { ControlError, type ControlErrorCode } from './api/control-error.ts';
