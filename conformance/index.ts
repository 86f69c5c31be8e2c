export { conform, createKit, selectChecks } from './kit.ts';
export type { CheckResult, Kit, KitOptions, RunOptions } from './kit.ts';
export { CHECKS } from './checks/index.ts';
export { LEVELS } from './check.ts';
export type { Check, CheckFacts, Kind, Level, Section } from './check.ts';
export { createControlDriver } from './drivers/control-driver.ts';
export { EndpointRefusal } from './driver.ts';
export type {
  Account,
  AccountSettings,
  AddedEndpoint,
  CreatedSession,
  Driver,
  EndpointChange,
  EndpointHealth,
  EndpointRequest,
  EventKind,
  KeyPair,
  MockAccess,
  Need,
  SettledStatus,
} from './driver.ts';
export type { HandleWebhook, Receiver, WebhookAnswer } from './inbox.ts';
