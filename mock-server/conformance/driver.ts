import type { Control } from '../api/control.ts';
import type { ServiceClock } from '../api/clock.ts';

/** The fields of a create response that checks use. */
export interface CreatedSession {
  readonly sessionId: string;
  readonly sessionToken: string;
  readonly verifyUrl: string;
  readonly handoffToken: string;
  readonly expiresAt: string;
}

/** The result of a verification. */
export type SettledStatus = 'verified' | 'failed' | 'cancelled';

// Written here and not imported from the service, because checks that use the service's list would follow
// every mistake in it.
/** The kinds of webhook event. */
export type EventKind =
  | 'session.started'
  | 'verification.completed'
  | 'verification.failed'
  | 'verification.cancelled'
  | 'session.timeout';

/** A webhook endpoint to add. */
export interface EndpointRequest {
  /** The account, or undefined for the account whose keys were passed to `createKit`. */
  readonly tenantId: string | undefined;
  readonly url: string;
  /** @default every kind */
  readonly events?: readonly EventKind[];
  /** The signing secret, or null for unsigned requests. @default a secret that the service generates */
  readonly secret?: string | null;
  /** The key pair to which the endpoint is limited. @default the whole account */
  readonly pairId?: string;
}

/** The result of `addEndpoint`. */
export interface AddedEndpoint {
  readonly id: string;
  /** The signing secret. Null if requests are not signed, or if the driver does not know the secret. */
  readonly secret: string | null;
}

/** Changes to an endpoint. Absent fields keep their value. */
export interface EndpointChange {
  readonly url?: string;
  readonly enabled?: boolean;
  readonly secret?: string | null;
  readonly events?: readonly EventKind[];
}

/** The part of an endpoint's delivery health that checks use. */
export interface EndpointHealth {
  readonly isPaused: boolean;
  /** The number of events that were not delivered. */
  readonly undelivered: number;
  /** The time of the last successful delivery. ISO 8601, or null if no delivery succeeded. */
  readonly lastSuccessAt: string | null;
}

/** The settings of a new account. An omitted one has the service's default, such as the mode L1. */
export interface AccountSettings {
  readonly allowedDomains?: readonly string[];
  readonly verificationMode?: 'L1' | 'L2';
  readonly challengeAge?: number;
  readonly faceMatchEnabled?: boolean;
  readonly sandboxMode?: boolean;
  readonly billingBlock?: { code: string; message: string; portalUrl?: string };
  readonly createLimit?: number;
  readonly validateLimit?: number;
  readonly timeoutAttempts?: number;
}

/** A publishable key and its secret key. Checks of endpoints for one pair need the `pairId`. */
export interface KeyPair {
  readonly pairId?: string;
  readonly publishableKey: string;
  readonly secretKey: string;
}

/** The result of `createAccount`. */
export interface Account extends KeyPair {
  readonly tenantId: string;
}

/**
 * Performs the actions for which the API has no request. The first four functions are enough for most
 * checks, and each of the others enables more checks. A check that needs a missing function is skipped.
 *
 * A function that fails must throw an error with a readable message.
 */
export interface Driver {
  /** Ends a pending session, as if the shopper had finished the hosted page. */
  settle?(session: CreatedSession, status: SettledStatus): Promise<void>;
  /**
   * Configures a webhook endpoint.
   * @throws {EndpointRefusal} if the service refuses the URL
   */
  addEndpoint?(endpoint: EndpointRequest): Promise<AddedEndpoint>;
  /** Deletes a webhook endpoint. The kit also calls it after a check, for the endpoints of the check. */
  removeEndpoint?(id: string): Promise<void>;
  /**
   * Lets time pass for the service. It either moves the service's clock and resolves once everything that
   * became due has happened, or really waits.
   */
  advance?(ms: number): Promise<void>;

  /**
   * Returns the service's time in milliseconds since the epoch. Define it only if nothing but `advance`
   * changes that time. Times in responses are then checked to the millisecond.
   */
  now?(): Promise<number>;
  /** Creates an account with one key pair. Every check then has its own account. */
  createAccount?(settings: AccountSettings): Promise<Account>;
  /** Changes the settings of an account. Absent ones keep their value. */
  changeAccount?(tenantId: string, settings: AccountSettings): Promise<void>;
  /** Creates another key pair of the account. */
  createKeyPair?(tenantId: string): Promise<KeyPair>;
  /** Pauses or revokes a key. `key` is its value, such as `sk_…`. */
  setKeyStatus?(key: string, status: 'paused' | 'revoked'): Promise<void>;
  /** Changes the URL, the events, the secret or the state of a webhook endpoint. */
  changeEndpoint?(id: string, change: EndpointChange): Promise<void>;
  /** Sends a test event. Resolves with true if the receiver accepted it. */
  testEndpoint?(id: string): Promise<boolean>;
  /** Sends a test event and ends the pause if it succeeds. Resolves with true if the pause has ended. */
  resumeEndpoint?(id: string): Promise<boolean>;
  /** Queues undelivered events again. Resolves with their number. */
  redeliver?(id: string): Promise<number>;
  /** Returns an endpoint's delivery health, also while the endpoint is paused. */
  endpointHealth?(id: string): Promise<EndpointHealth>;
  /**
   * Sets the single webhook of older accounts, by default for every kind of event. Resolves with its signing
   * secret, or with null if it is unknown.
   */
  setLegacyWebhook?(
    tenantId: string,
    url: string,
    events?: readonly EventKind[],
  ): Promise<string | null>;
  /** Converts the legacy webhook to an endpoint with the same URL and secret. */
  migrateLegacyWebhook?(tenantId: string): Promise<AddedEndpoint>;

  /** The mock's control API, for checks of features that only the mock has. */
  readonly mock?: MockAccess;
  /** Restores the state that the service had before the run, for example that of its clock. */
  close?(): Promise<void>;
}

/** The control API of the mock, in this process or over HTTP. */
export interface MockAccess {
  readonly control: Control;
  readonly clock: ServiceClock;
}

/** A member of a driver that checks may need. */
export type Need = Exclude<keyof Driver, 'close'>;

/** Thrown by a driver when the service refuses the URL of an endpoint. */
export class EndpointRefusal extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'EndpointRefusal';
  }
}

/** The action that each member of a driver makes possible. The reason for a skipped check names it. */
export const NEEDS: Readonly<Record<Need, string>> = {
  settle: 'end a session',
  addEndpoint: 'configure a webhook endpoint',
  advance: 'let time pass',
  now: 'read the clock of the service',
  createAccount: 'create an account',
  changeAccount: 'change the settings of an account',
  createKeyPair: 'create a key pair',
  setKeyStatus: 'pause or revoke a key',
  removeEndpoint: 'delete a webhook endpoint',
  changeEndpoint: 'change a webhook endpoint',
  testEndpoint: 'test a webhook endpoint',
  resumeEndpoint: 'resume a webhook endpoint',
  redeliver: 'redeliver events',
  endpointHealth: 'read the health of a webhook endpoint',
  setLegacyWebhook: 'set the legacy webhook',
  migrateLegacyWebhook: 'migrate the legacy webhook',
  mock: 'reach the control API of the mock',
};

/** Returns the reason why a check cannot run with this driver, or undefined if it can. */
export function findMissing(driver: Driver, needs: readonly Need[]): string | undefined {
  const missing = needs.find((need) => driver[need] === undefined);
  return missing && `needs a driver that can ${NEEDS[missing]} (${missing})`;
}
