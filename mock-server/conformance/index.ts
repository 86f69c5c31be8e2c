/**
 * Checks that compare an implementation of the service with the specification, over HTTP.
 *
 * @module ofage-mock/conformance
 */
export { conform, createKit, selectChecks } from './kit.ts';
export type { Kit, KitOptions, RunOptions } from './kit.ts';
export type { CheckResult, Failure } from './run-check.ts';
export { CHECKS } from './checks/index.ts';
export { LEVELS } from './check.ts';
export type { CheckFacts, Kind, Level, Section } from './check.ts';
export { REPORTERS, REPORTER_NAMES, type ReporterName } from './reporters/index.ts';
export { compareReports } from './compare.ts';
export { parseReport, toSummaryLine, type Report } from './report.ts';
export { createControlDriver } from './drivers/control-driver.ts';
export { createInteractiveDriver } from './drivers/interactive-driver.ts';
export { parseDriver } from './drivers/parse-driver.ts';
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
export type {
  BrowserLike,
  ContextLike,
  PageLike,
  RequestLike,
  ResponseLike,
  RouteLike,
} from './pages/browser-like.ts';
export type { HandleWebhook, Receiver, WebhookAnswer } from './inbox.ts';
