import type { BillingBlock, Device, VerificationMode } from '../store/rows.ts';
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
}

/** The sessions to list. An omitted field does not restrict the list, except `limit`. */
export interface SessionFilter {
  tenantId?: string | undefined;
  pairId?: string | undefined;
  status?: SessionResource['status'] | undefined;
  externalUserId?: string | undefined;
  /** False leaves out the sessions of the playground's labs. @default true */
  labs?: boolean | undefined;
  /** Lists only sessions that were created before the one with this id. */
  before?: string | undefined;
  /** Maximum number of items. The newest ones are returned. @default 100 */
  limit?: number | undefined;
}

/** The methods for sessions and for the outcomes of the next ones. */
export interface SessionControl {
  /** Returns a session. Unlike a validate call, this does not consume it. */
  session(id: string): Promise<SessionResource>;
  /** Lists sessions, newest first. */
  sessions(filter?: SessionFilter): Promise<SessionResource[]>;
  /** Settles a pending session with a scenario's outcome, without a browser. `never` leaves it pending. */
  settle(sessionId: string, scenario: ScenarioName): Promise<SessionResource>;

  /** Lists the queued scenarios for the account's next sessions, in order. */
  nextOutcomes(tenantId: string): Promise<ScenarioName[]>;
  /** Adds scenarios to the end of the account's queue. Resolves with the whole queue. */
  queueNextOutcomes(tenantId: string, outcomes: readonly ScenarioName[]): Promise<ScenarioName[]>;
  /** Removes the scenarios that are queued for the account's next sessions. */
  clearNextOutcomes(tenantId: string): Promise<void>;
}
