import type { ScenarioName } from './scenarios.ts';
import type { BillingBlock, EventKind, Member, VerificationMode } from '../store/tables.ts';

/**
 * The fields of an account that can be set. Absent fields keep their value or get their default. So do
 * fields that are null, except `billingBlock`.
 */
export interface TenantInput {
  /** @default "Demo shop" */
  name?: string | null;
  /** The default policy of sessions. Only a call with a secret key can override it. */
  policy?: {
    /** @default "L1" */
    verificationMode?: VerificationMode | null;
    /**
     * The age threshold. Years, 25 to 99.
     * @default 25
     */
    challengeAge?: number | null;
    /** @default true */
    faceMatchEnabled?: boolean | null;
  } | null;
  /**
   * The hosts that a shopper may return to, on any port. `*.shop.example` allows all subdomains.
   * `localhost` and `127.0.0.1` are always allowed.
   * @default []
   */
  allowedDomains?: string[] | null;
  /** @default true */
  sandboxMode?: boolean | null;
  /** Blocks verifications because of billing. Null lifts the block. @default none */
  billingBlock?: BillingBlock | null;
  /**
   * The rate limits, in requests per 60 seconds, shared by all keys of the account. Integers, 1 to
   * 1_000_000.
   */
  rateLimits?: {
    /** @default 300 */
    create?: number | null;
    /** @default 100 */
    validate?: number | null;
  } | null;
  /**
   * Members of the account. Owners and admins get an email when webhooks are paused.
   * @default one owner
   */
  members?: Member[] | null;
  /**
   * Maximum number of attempts for each delivery of a timeout event. Integer, 1 to 10.
   * @default 3
   */
  timeoutAttempts?: number | null;
}

/** The settings of a new webhook endpoint. */
export interface EndpointInput {
  /** An https URL on the public Internet, or a URL on this computer if that is allowed. */
  url: string;
  /** The event kinds that the endpoint receives, 1 to 20. @default all */
  events?: EventKind[] | null;
  /** Limits the endpoint to sessions of this key pair. @default null, the whole account */
  pairId?: string | null;
  /** @default true */
  enabled?: boolean | null;
  /** The secret that signs deliveries. If null, deliveries are not signed. @default a generated secret */
  secret?: string | null;
}

/**
 * Changes to a webhook endpoint. Absent fields keep their value. So do fields that are null, except
 * `pairId` and `secret`.
 */
export interface EndpointChangeInput {
  /** The new URL. Queued events are still sent to the old one. */
  url?: string | null;
  events?: EventKind[] | null;
  /** The key pair, or null for the whole account. */
  pairId?: string | null;
  /** False disables the endpoint and ends its queued deliveries. */
  enabled?: boolean | null;
  /** The new secret, which signs from the next request on. If null, requests are not signed. */
  secret?: string | null;
}

/** The legacy webhook of an account: its single webhook from before endpoints existed. */
export interface LegacyWebhookInput {
  url: string;
  /** @default all */
  events?: EventKind[] | null;
  /** The secret. If null, requests are not signed. @default the current secret, or a generated one */
  secret?: string | null;
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

/** The event or scenario to trigger, and the account and user of the session that is created for it. */
export interface TriggerInput {
  /** The name of a scenario, or of an event that a scenario leads to. */
  name: ScenarioName | EventKind;
  /** @default the first account */
  tenantId?: string | null;
  externalUserId?: string | null;
}

/** An account that the state must contain, with its keys and webhook endpoints. */
export interface AccountInput extends TenantInput {
  /** Identifies the account. An existing account of this name is updated. */
  name: string;
  /**
   * The values of the key pair, for an application that must know its keys in advance. If the account
   * already has exactly one of two given keys, the pair of that key gets the other given key in place of
   * its current one.
   * @default random
   */
  publishableKey?: string | null;
  secretKey?: string | null;
  /**
   * The account's endpoints, identified by their URL. Endpoints that are not listed are left unchanged.
   * @default none
   */
  endpoints?: readonly Omit<EndpointInput, 'pairId'>[] | null;
}
