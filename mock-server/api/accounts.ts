import type { BillingBlock, Member, Policy, VerificationMode } from '../store/rows.ts';
import type { EndpointInput } from './endpoints.ts';

/** An account as the control API shows it. Times are ISO 8601, here and in all other resources. */
export interface TenantResource {
  id: string;
  /** Empty if the account has no name. The hosted page then shows the host of `returnUrl`. */
  name: string;
  createdAt: string;
  policy: Policy;
  allowedDomains: readonly string[];
  sandboxMode: boolean;
  billingBlock: BillingBlock | null;
  /** Maximum number of requests in 60 seconds. */
  rateLimits: { readonly create: number; readonly validate: number };
  /** The account's members. Owners and admins get its emails. */
  members: readonly Member[];
  /** Maximum number of attempts for each delivery of a timeout event. */
  timeoutAttempts: number;
  /** True if `legacyWebhook` returns one, instead of 404. */
  hasLegacyWebhook: boolean;
}

/**
 * The fields of an account that can be set. Absent fields keep their value or get their default. So do
 * fields that are null, except `billingBlock`.
 */
export interface TenantInput {
  /**
   * The name that the hosted page shows, unless a session has a `merchantName`. An empty name removes it.
   * @default none: the hosted page shows the host of `returnUrl`
   */
  name?: string | null | undefined;
  /** The default policy of sessions. Only a call with a secret key can override it. */
  policy?:
    | {
        /** @default "L1" */
        verificationMode?: VerificationMode | null | undefined;
        /**
         * The age threshold. Years, 25 to 99.
         * @default 25
         */
        challengeAge?: number | null | undefined;
        /** @default true */
        faceMatchEnabled?: boolean | null | undefined;
      }
    | null
    | undefined;
  /**
   * The hosts that a shopper may return to, on any port. `*.shop.example` allows all subdomains.
   * `localhost` and `127.0.0.1` are always allowed.
   * @default []
   */
  allowedDomains?: readonly string[] | null | undefined;
  /** @default true */
  sandboxMode?: boolean | null | undefined;
  /** Blocks verifications because of billing. Null lifts the block. @default none */
  billingBlock?: BillingBlock | null | undefined;
  /**
   * The rate limits, in requests per 60 seconds, shared by all keys of the account. Integers, 1 to
   * 1_000_000.
   */
  rateLimits?:
    | {
        /** @default 300 */
        create?: number | null | undefined;
        /** @default 100 */
        validate?: number | null | undefined;
      }
    | null
    | undefined;
  /**
   * Members of the account. Owners and admins get an email when webhooks are paused.
   * @default one owner
   */
  members?: readonly Member[] | null | undefined;
  /**
   * Maximum number of attempts for each delivery of a timeout event. Integer, 1 to 10.
   * @default 3
   */
  timeoutAttempts?: number | null | undefined;
}

/** An account that the state must contain, with its keys and webhook endpoints. */
export interface AccountInput extends TenantInput {
  /** Identifies the account. An existing account of this name is updated. */
  name: string;
  /**
   * The values of the key pair, for an application that must know its keys in advance. If the account
   * already has exactly one of two given keys, the pair of that key gets the other given key in place of
   * its current one. A key has 8 to 200 characters: its prefix, `pk_` or `sk_`, and then letters, digits
   * and `_.+/=:@-`.
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

export interface AccountControl {
  /** Lists the accounts, oldest first. */
  tenants(): Promise<TenantResource[]>;
  /** Returns an account, without its keys and endpoints. */
  tenant(id: string): Promise<TenantResource>;
  /** Adds an account, without keys. `createKeyPair` adds a pair. */
  createTenant(input?: TenantInput): Promise<TenantResource>;
  /** Changes the given settings of an account. */
  updateTenant(id: string, change: TenantInput): Promise<TenantResource>;
}
