/** The records of the second service. They are kept in memory and do not survive the process. */

export const EVENT_KINDS = [
  'session.started',
  'verification.completed',
  'verification.failed',
  'verification.cancelled',
  'session.timeout',
] as const;
export type EventKind = (typeof EVENT_KINDS)[number];
export type Mode = 'L1' | 'L2';
export type State = 'PENDING' | 'VERIFIED' | 'FAILED' | 'CANCELLED' | 'EXPIRED';
export type Limit = 'create' | 'validate';

export interface Account {
  readonly id: string;
  allowedDomains: readonly string[];
  verificationMode: Mode;
  challengeAge: number;
  faceMatchEnabled: boolean;
  sandbox: boolean;
  timeoutAttempts: number;
  billingBlock: { code: string; message: string; portalUrl?: string } | null;
  limits: Record<Limit, number>;
  readonly windows: Map<Limit, { startedAtMs: number; used: number }>;
  legacyWebhook?: Hook;
}

export interface ApiKey {
  readonly text: string;
  readonly kind: 'publishable' | 'secret';
  readonly account: Account;
  readonly pairId: string;
  active: boolean;
}

export interface Session {
  readonly id: string;
  readonly account: Account;
  readonly pairId: string;
  readonly returnUrl: string;
  readonly externalUserId: string | null;
  readonly verificationMode: Mode;
  readonly challengeAge: number;
  readonly faceMatchEnabled: boolean;
  readonly sandbox: boolean;
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
  state: State;
  settledAtMs: number | null;
  used: boolean;
}

/** The destination of webhooks: an endpoint, or the legacy webhook of an account. */
export interface Hook {
  readonly id: string;
  url: string;
  events: readonly EventKind[];
  secret: string | null;
  pairId: string | null;
  enabled: boolean;
  pausedAtMs: number | null;
  pauseReason: string | null;
  lastDeliveredAtMs: number | null;
}

export interface Envelope {
  readonly event: EventKind;
  readonly timestamp: string | null;
  readonly tenantId: string;
  readonly test: boolean;
  readonly data: Readonly<Record<string, unknown>>;
  readonly eventId?: string;
}

export interface Delivery {
  readonly hook: Hook;
  readonly account: Account;
  /** The address at the time of the event. Later edits of the endpoint do not change it. */
  readonly url: string;
  readonly kind: EventKind;
  readonly createdAtMs: number;
  /** The fields of the body. A timestamp of null is set when the event is first sent. */
  readonly envelope: Envelope;
  body: string | null;
  attempts: number;
  /** No attempt starts after this time. */
  deadlineMs: number;
  state: 'waiting' | 'sending' | 'delivered' | 'undelivered';
}

export interface Tables {
  readonly accounts: Map<string, Account>;
  readonly keys: Map<string, ApiKey>;
  readonly sessions: Map<string, Session>;
  readonly endpoints: Map<string, { account: Account; hook: Hook }>;
  readonly deliveries: Delivery[];
}

export function createTables(): Tables {
  return {
    accounts: new Map(),
    keys: new Map(),
    sessions: new Map(),
    endpoints: new Map(),
    deliveries: [],
  };
}

/** Departures from the specification, for a service that must fail the kit. */
export interface Habits {
  /** Validating a session does not consume it. */
  readonly grantsTwice?: boolean;
  /** The body is serialised again, with spaces, after it was signed. */
  readonly signsBeforeFormatting?: boolean;
  readonly noRateLimitHeaders?: boolean;
}

export function toIso(timeMs: number): string {
  return new Date(timeMs).toISOString();
}
