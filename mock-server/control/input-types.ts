import type { ScenarioName } from '../sessions/scenarios.ts';
import type { BillingBlock, EventKind, Member, VerificationMode } from '../core/tables.ts';

/**
 * The fields of an account that can be set. Fields that are absent or null keep their value or get their
 * default.
 */
export interface TenantInput {
  /** @default "Demo shop" */
  name?: string | null;
  /** Policy for sessions of a publishable key. Sessions of a secret key may override it. */
  policy?: {
    /** @default "L1" */
    verificationMode?: VerificationMode | null;
    /**
     * The minimum age. Years, 25 to 99.
     * @default 25
     */
    challengeAge?: number | null;
    /** @default true */
    faceMatchEnabled?: boolean | null;
  } | null;
  /**
   * The hosts that a shopper may return to, on any port; `*.shop.example` stands for the hosts below it.
   * `localhost` and `127.0.0.1` are always allowed.
   * @default []
   */
  allowedDomains?: string[] | null;
  /** @default true */
  sandboxMode?: boolean | null;
  /** Blocks verification. Null lifts the block. @default none */
  billingBlock?: BillingBlock | null;
  /** Requests in 60 seconds, shared by all keys of the account. Integers, 1 to 1_000_000. */
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
   * Number of attempts for a timeout event. Integer, 1 to 10.
   * @default 3
   */
  timeoutAttempts?: number | null;
}

/** A webhook endpoint. */
export interface EndpointInput {
  /** An https URL that leads to the public Internet, or to this computer where that is allowed. */
  url: string;
  /** 1 to 20 kinds. @default all */
  events?: EventKind[] | null;
  /** Only sessions of this key pair. @default null, the whole account */
  pairId?: string | null;
  /** @default true */
  enabled?: boolean | null;
  /** Signs deliveries; null sends them unsigned. @default one is made */
  secret?: string | null;
}

/** Changes to a webhook endpoint. Absent fields keep their value. */
export interface EndpointChangeInput {
  /** Queued events still go to the old one. */
  url?: string | null;
  events?: EventKind[] | null;
  /** Null is the whole account. */
  pairId?: string | null;
  /** False stops what is queued, too. */
  enabled?: boolean | null;
  /** Signs from the next request on; null sends unsigned. */
  secret?: string | null;
}

/** The single webhook of older accounts. */
export interface LegacyWebhookInput {
  url: string;
  /** @default all */
  events?: EventKind[] | null;
  /** Null sends unsigned. @default the present one, or one is made */
  secret?: string | null;
}

/** A webhook as it was received. */
export interface ExplainInput {
  /** The body as it was received. */
  body: string;
  /** The headers as they were received, names in any case. */
  headers?: Record<string, string> | null;
  /** The value of `x-ofage-signature`, in place of headers. */
  signature?: string | null;
  /** The secret that the receiver verifies with. */
  secret?: string | null;
  /** @default every account */
  tenantId?: string | null;
}

/** The event to trigger. */
export interface TriggerInput {
  /** A scenario, or an event that one leads to. */
  name: ScenarioName | EventKind;
  /** @default the first account */
  tenantId?: string | null;
  externalUserId?: string | null;
}

/** An account that the state must have, with its keys and webhook endpoints. */
export interface AccountInput extends TenantInput {
  /** Tells accounts apart: an account of this name that is there already is brought in line. */
  name: string;
  /**
   * The values of the key pair, for an application that must know them in advance. If the account already
   * has one of the two, the other becomes its partner.
   * @default random
   */
  publishableKey?: string | null;
  secretKey?: string | null;
  /** Told apart by their URL. Others that the account has are left alone. @default none */
  endpoints?: readonly Omit<EndpointInput, 'pairId'>[] | null;
}
