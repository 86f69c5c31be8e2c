import type { BillingBlock, Device, SessionStep, VerificationMode } from '../store/rows.ts';
import type { ScenarioName } from './scenarios.ts';

/** One age check at the service, with its current state. */
export interface SessionResource {
  id: string;
  tenantId: string;
  pairId: string;
  status: 'pending' | 'verified' | 'failed' | 'cancelled' | 'expired';
  createdAt: string;
  expiresAt: string;
  settledAt: string | null;
  /** Time at which validate consumed the session. */
  validatedAt: string | null;
  reason: string | null;
  returnUrl: string;
  cancelUrl: string | null;
  /** The origin of the page that created the session. Null if it is unknown, or not allowed in the account. */
  pageOrigin: string | null;
  merchantName: string | null;
  externalUserId: string | null;
  verificationMode: VerificationMode;
  challengeAge: number;
  faceMatchEnabled: boolean;
  sandboxMode: boolean;
  billingBlock: BillingBlock | null;
  retries: number;
  /** True if the last image was unusable and another one may be taken. */
  needsRetry: boolean;
  /** The device on which the shopper continues. */
  activeDevice: Device;
  /** The devices on which the hosted page is open. */
  openDevices: readonly Device[];
  /** The scenario that was chosen when the session was created. Null means that the hosted page decides. */
  presetOutcome: string | null;
  /** The last 20 steps of the shopper, oldest first. */
  steps: SessionStepResource[];
}

/**
 * A step of the shopper on the hosted page: an image was not usable, the shopper takes another one, or
 * continues on the other device.
 */
export interface SessionStepResource {
  at: string;
  kind: SessionStep['kind'];
  /** The device on which it happened, or on which the shopper continued. */
  device: Device;
}

/** The sessions to list or to count. An omitted field does not restrict them. */
export interface SessionSearch {
  tenantId?: string | undefined;
  pairId?: string | undefined;
  status?: SessionResource['status'] | undefined;
  externalUserId?: string | undefined;
  /** The beginning of an id, or a part of an `externalUserId`. Case and surrounding spaces are ignored. */
  text?: string | undefined;
  /** The reason of the result, such as `age_not_met`. */
  reason?: string | undefined;
  /** The earliest time of creation. ISO 8601. */
  from?: string | undefined;
  /** The end of the times of creation, which is excluded. ISO 8601. */
  to?: string | undefined;
  /** False leaves out the sessions of the playground's labs. @default true */
  labs?: boolean | undefined;
}

/** The sessions to list. Only `limit` has a default. */
export interface SessionFilter extends SessionSearch {
  /** Lists only sessions that were created before the one with this id. */
  before?: string | undefined;
  /** Maximum number of items. The newest ones are returned. @default 100 */
  limit?: number | undefined;
}

/** The sessions to count. */
export interface SessionStatisticsFilter extends SessionSearch {
  /**
   * The length of a step of the time series, which begins at `from` and ends at `to` or now. Milliseconds.
   * There may be up to 1,000 steps.
   * @default no time series
   */
  stepMs?: number | undefined;
}

/** Numbers of sessions, by status. */
export type SessionCounts = Record<SessionResource['status'], number>;

/** Counts of all sessions that match a filter. */
export interface SessionStatistics {
  total: number;
  counts: SessionCounts;
  /** The share of the ended sessions that have a result, from 0 to 1. Null if no session has ended. */
  completionRate: number | null;
  /** The share of the results that are passes, from 0 to 1. Null if no session has a result. */
  passRate: number | null;
  /** The median time from the creation of a session to its result. Null if no session has a result. */
  medianMs: number | null;
  /** The failed sessions by reason, the most frequent reason first. */
  reasons: { reason: string; count: number }[];
  /**
   * The number of sessions in the equally long period before `from`. Null without `from`, and if it is not
   * before `to` or now.
   */
  previousTotal: number | null;
  /** The time series, oldest step first. Empty without `stepMs`. */
  steps: { from: string; total: number; counts: SessionCounts }[];
  /** The creation time of the oldest session, whatever `from` and `to` are. Null if there is none. */
  oldestAt: string | null;
}

/** The methods for sessions and for the outcomes of the next ones. */
export interface SessionControl {
  /** Returns a session. Unlike a validate call, this does not consume it. */
  session(id: string): Promise<SessionResource>;
  /** Lists sessions, newest first. */
  sessions(filter?: SessionFilter): Promise<SessionResource[]>;
  /** Counts all sessions that match the filter: results, rates, reasons, and numbers over time. */
  sessionStatistics(filter?: SessionStatisticsFilter): Promise<SessionStatistics>;
  /** Settles a pending session with a scenario's outcome, without a browser. `never` leaves it pending. */
  settle(sessionId: string, scenario: ScenarioName): Promise<SessionResource>;

  /** Lists the queued scenarios for the account's next sessions, in order. */
  nextOutcomes(tenantId: string): Promise<ScenarioName[]>;
  /** Adds scenarios to the end of the account's queue. Resolves with the whole queue. */
  queueNextOutcomes(tenantId: string, outcomes: readonly ScenarioName[]): Promise<ScenarioName[]>;
  /** Removes the scenarios that are queued for the account's next sessions. */
  clearNextOutcomes(tenantId: string): Promise<void>;
}
