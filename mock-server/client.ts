/**
 * The control API of a mock that runs in another process.
 *
 * @module ofage/mock/client
 */
export { createControlClient } from './control/client.ts';
export type {
  ControlCall,
  ControlClient,
  ControlClientOptions,
  ControlMethod,
  ControlPages,
  Page,
  StreamOptions,
} from './control/client.ts';
export type { Control } from './control/control.ts';
export type { ServiceClock } from './control/clock.ts';
export type { LiveTopic } from './control/live.ts';
export { EVENT_KINDS } from './core/event-kinds.ts';
export { SCENARIOS } from './sessions/scenarios.ts';
export { ControlError, type ControlErrorCode } from './control/control-error.ts';
