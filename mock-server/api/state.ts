import type { TenantResource } from './accounts.ts';
import type { ClockReading } from './clock.ts';
import type { FaultResource } from './faults.ts';
import type { Scenario, ScenarioName } from './scenarios.ts';

/** The whole state as JSON, including keys and secrets unless they are omitted. */
export interface Snapshot {
  format: 'ofage-mock-snapshot';
  version: number;
  /** Virtual time. ISO 8601. */
  takenAt: string;
  /** True if the clock was frozen. */
  frozen: boolean;
  /** Set if keys, secrets and tokens were left out. */
  secrets?: 'omitted';
  /**
   * Set to hold webhooks to public addresses when the snapshot is loaded, as for a file of another person.
   * `snapshot()` does not set it.
   */
  webhooks?: 'held';
  tables: { [table: string]: { id: string }[] };
}

/** The id, keys and webhook secret of the first account. An application needs them to call the mock. */
export interface Demo {
  tenantId: string;
  publishableKey: string;
  secretKey: string;
  /**
   * The secret of the first webhook endpoint. If there is none, it is the secret that the next one will
   * get. Null if the endpoint has no secret.
   */
  webhookSecret: string | null;
}

/** The hold on webhooks to public addresses. */
export interface WebhookHoldResource {
  /** The time at which the hold began, by the mock's clock. ISO 8601. Null if nothing is held. */
  since: string | null;
  /** The public hosts that would get webhooks. Empty if nothing is held. */
  hosts: string[];
}

/** The address at which other devices reach the mock. All fields are null if there is none. */
export interface PublicAddressResource {
  /** The origin that a tunnel or a proxy has, such as `https://my-mock.example`. */
  url: string | null;
  /** The port on this computer that the tunnel must lead to. */
  port: number | null;
  /** The real time of the last request that came through this port. ISO 8601. Null if none has arrived. */
  lastRequestAt: string | null;
  /** The link with which another device continues the newest pending session. Null if none is pending. */
  handoffUrl: string | null;
}

/** A summary of the state: the clock, the accounts, the faults and some counts. */
export interface StateResource {
  now: string;
  clock: ClockReading;
  tenants: TenantResource[];
  /** The faults with calls or attempts left. */
  faults: FaultResource[];
  counts: Record<'sessions' | 'events' | 'deliveries' | 'attempts', number>;
}

/** An entry of the outcome catalogue. */
export interface ScenarioResource extends Scenario {
  readonly name: ScenarioName;
}

/** Options of `snapshot()`. */
export interface SnapshotInput {
  /**
   * Whether the snapshot has keys, secrets and tokens.
   * @default 'keep'
   */
  secrets?: 'keep' | 'omit';
}

/** The methods for the state as a whole. */
export interface StateControl {
  /** Returns a summary of the state. */
  state(): Promise<StateResource>;
  /**
   * Deletes everything, recreates the first accounts with the same keys and secrets, and resets the clock.
   */
  reset(): Promise<Demo>;
  /** Returns the outcome catalogue. */
  scenarios(): Promise<readonly ScenarioResource[]>;
  /**
   * Returns the whole state as plain JSON. With `secrets: 'omit'`, keys, secrets and tokens are left out, so
   * that it can be attached to a bug report. The default, `keep`, is exact.
   */
  snapshot(input?: SnapshotInput): Promise<Snapshot>;
  /**
   * Replaces the state with a saved one, including its time. A session that had five minutes left when it
   * was saved has five minutes left again. If the snapshot has no secrets, its first account gets the keys
   * of the current first account, and the secrets of those of its endpoints that have the same URL. Other
   * keys and secrets are new, and so are the links of pending sessions. Rejects with a readable message if
   * this version cannot read the snapshot, or if it has secrets and the mock has a public address.
   *
   * If `webhooks` of the snapshot is `held`, webhooks to public addresses stay queued until
   * `releaseWebhooks()` or `reset()`, also after a restart. The command and the console set it.
   */
  loadSnapshot(snapshot: unknown): Promise<void>;
  /** Returns the hold on webhooks to public addresses, with the hosts that it concerns. */
  webhookHold(): Promise<WebhookHoldResource>;
  /**
   * Sends the webhooks that are held. The time of the hold does not count for their deadlines. Does nothing
   * if none are held.
   */
  releaseWebhooks(): Promise<void>;
  /** Returns the public address, with the link of the newest pending session for another device. */
  publicAddress(): Promise<PublicAddressResource>;
}
