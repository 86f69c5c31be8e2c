import type { EventKind } from '../store/event-kinds.ts';
import type { PauseReason, VerificationMode } from '../store/rows.ts';
import type { EndpointControl, EndpointResource, HealthResource } from './endpoints.ts';
import type { ScenarioName } from './scenarios.ts';
import type { SessionResource } from './sessions.ts';

/** The legacy webhook of an account: its single webhook from before endpoints existed. */
export interface LegacyWebhookResource {
  tenantId: string;
  url: string;
  events: readonly EventKind[];
  hasSecret: boolean;
  /** Present only in the response to `putLegacyWebhook`. */
  secret?: string | null;
  createdAt: string;
  /**
   * True if the legacy webhook receives events, which is only the case while the account has no endpoint.
   */
  isActive: boolean;
  health: HealthResource;
  productionRefusal: string | null;
}

/** The legacy webhook of an account: its single webhook from before endpoints existed. */
export interface LegacyWebhookInput {
  url: string;
  /** @default all */
  events?: EventKind[] | null;
  /** The secret. If null, requests are not signed. @default the current secret, or a generated one */
  secret?: string | null;
}

/** An email to the owners and admins of an account. The mock only stores it. */
export interface EmailResource {
  id: string;
  tenantId: string;
  to: readonly string[];
  subject: string;
  text: string;
  createdAt: string;
}

/** A notice of the console about an endpoint's pause. */
export interface NoticeResource {
  id: string;
  tenantId: string;
  endpointId: string;
  url: string;
  reason: PauseReason;
  text: string;
  createdAt: string;
}

/** The event or scenario to trigger, and the session that is created for it. */
export interface TriggerInput {
  /** The name of a scenario, or of an event that a scenario leads to. */
  name: ScenarioName | EventKind;
  /** @default the first account */
  tenantId?: string | null;
  externalUserId?: string | null;
  /** @default the account's */
  verificationMode?: VerificationMode | null;
  /** The age threshold. Years, 25 to 99. @default the account's */
  challengeAge?: number | null;
}

/** A received webhook whose signature is to be explained. */
export interface ExplainInput {
  /** The body exactly as received. */
  body: string;
  /** The headers as received. Their names may be in any case. */
  headers?: Record<string, string> | null;
  /** The value of `x-ofage-signature`, as an alternative to the headers. */
  signature?: string | null;
  /** The secret that the receiver uses to verify. */
  secret?: string | null;
  /** @default every account */
  tenantId?: string | null;
}

/** The reasons why a signature does not verify, or the confirmation that it does. */
export interface Explanation {
  /**
   * True if this header and body verify with the given secret or, if none was given, with the current
   * secret of an endpoint.
   */
  readonly isValid: boolean;
  /**
   * The endpoint whose secret made the signature, or null if no known secret did. Its `endpointId` is null
   * if only the given secret did.
   */
  readonly signedBy: { readonly endpointId: string | null; readonly label: string } | null;
  /** The mistakes in the header, the secret and the body, in this order. Empty if the signature is valid. */
  readonly findings: readonly Finding[];
}

/** A reason why a signature does not verify. */
export interface Finding {
  readonly code: FindingCode;
  readonly message: string;
}

/** The cause of a signature that does not verify. */
export type FindingCode =
  | 'header_missing'
  | 'header_malformed'
  | 'secret_malformed'
  | 'wrong_secret'
  | 'secret_replaced'
  | 'body_empty'
  | 'body_reformatted'
  | 'body_changed'
  | 'unknown_secret';

/**
 * The methods for webhooks: those of the endpoints, those of the legacy webhook, emails and notices, and those
 * that explain signatures and trigger events.
 */
export interface WebhookControl extends EndpointControl {
  /** Returns the legacy webhook of an account. Rejects if it has none. */
  legacyWebhook(tenantId: string): Promise<LegacyWebhookResource>;
  /** Sets the legacy webhook of an account, which receives events while the account has no endpoint. */
  putLegacyWebhook(tenantId: string, input: LegacyWebhookInput): Promise<LegacyWebhookResource>;
  /** Deletes the legacy webhook of an account, and cancels its queued and undelivered events. */
  deleteLegacyWebhook(tenantId: string): Promise<void>;
  /** Converts the legacy webhook to an endpoint with the same URL, secret and events. */
  migrateLegacyWebhook(tenantId: string): Promise<EndpointResource>;

  /** Lists the emails to owners and admins, oldest first. */
  emails(filter?: { tenantId?: string | undefined }): Promise<EmailResource[]>;
  /** Lists the console's notices of pauses, oldest first. */
  notices(filter?: { tenantId?: string | undefined }): Promise<NoticeResource[]>;
  /** Checks the signature of a received webhook, and explains the cause if it does not verify. */
  explainWebhook(input: ExplainInput): Promise<Explanation>;
  /**
   * Creates a session and settles it with the named scenario, or with the scenario that leads to the named
   * event. With `never` and `session.started`, the session stays pending.
   */
  trigger(input: TriggerInput): Promise<SessionResource>;
}
