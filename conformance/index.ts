export { conform, createKit, selectChecks } from './kit.ts';
export type { CheckResult, Kit, KitOptions, RunOptions } from './kit.ts';
export { CHECKS } from './checks/index.ts';
export type { CheckFacts, Kind, Level, Section } from './check.ts';
export { REPORTERS, type ReporterName } from './reporters/index.ts';
export { compareReports } from './compare.ts';
export type { Report } from './report.ts';
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
  SettledStatus,
} from './driver.ts';
export type { HandleWebhook, Receiver, WebhookAnswer } from './inbox.ts';
