import { randomBytes, randomUUID } from 'node:crypto';
import type { AccountSettings, EndpointRequest, EventKind } from 'ofage/conformance';
import type { CreateBody } from './bodies.ts';
import { createClock } from './clock.ts';
import { createRateLimit } from './rate-limits.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
export const DEFAULT_LIMITS = { create: 300, validate: 100 };
const EVENT_KINDS: readonly EventKind[] = [
  'session.started',
  'verification.completed',
  'verification.failed',
  'verification.cancelled',
  'session.timeout',
];

export interface SecondServiceOptions {
  /** Allows webhooks to 127.0.0.1 without TLS, for receivers on this computer. */
  readonly allowLoopback?: boolean;
  /** Departures from the specification, for a service that must fail the kit. */
  readonly habits?: {
    /** Validating a session does not consume it. */
    readonly grantsTwice?: boolean;
    /** The body is serialised again, with spaces, after it was signed. */
    readonly signsBeforeFormatting?: boolean;
    readonly noRateLimitHeaders?: boolean;
  };
}

/** All records of the service. They are kept in memory and do not survive the process. */
export type Service = ReturnType<typeof createService>;
export function createService({ allowLoopback = false, habits = {} }: SecondServiceOptions) {
  return {
    clock: createClock(),
    accounts: new Map<string, Account>(),
    keys: new Map<string, ApiKey>(),
    sessions: new Map<string, Session>(),
    endpoints: new Map<string, Hook>(),
    /** By the id of the account. */
    legacyWebhooks: new Map<string, Hook>(),
    allowLoopback,
    habits,
  };
}

export type Account = ReturnType<typeof createAccount>;
export function createAccount({ createLimit, validateLimit, ...settings }: AccountSettings) {
  return {
    id: randomUUID(),
    allowedDomains: ['shop.example'],
    verificationMode: 'L1',
    challengeAge: 25,
    faceMatchEnabled: true,
    sandboxMode: true,
    timeoutAttempts: 3,
    ...settings,
    limits: {
      create: createRateLimit(createLimit ?? DEFAULT_LIMITS.create),
      validate: createRateLimit(validateLimit ?? DEFAULT_LIMITS.validate),
    },
  };
}

export type ApiKey = ReturnType<typeof createKey>;
export function createKey(prefix: 'pk' | 'sk', account: Account, pairId: string) {
  const text = `${prefix}_${randomBytes(16).toString('hex')}`;
  return { text, isSecret: prefix === 'sk', account, pairId, isActive: true };
}

export type Session = ReturnType<typeof createSession>;
export function createSession(key: ApiKey, body: CreateBody, nowMs: number) {
  const { account, pairId } = key;
  // A browser cannot be trusted with the policy.
  const trusted = key.isSecret ? { ...account, ...body } : account;
  const { verificationMode, challengeAge, faceMatchEnabled } = trusted;
  return {
    id: randomUUID(),
    account,
    pairId,
    externalUserId: body.externalUserId ?? null,
    policy: { verificationMode, challengeAge, faceMatchEnabled },
    status: 'pending' as 'pending' | 'verified' | 'failed' | 'cancelled' | 'expired',
    expiresAtMs: nowMs + 10 * MINUTE_MS,
    settledAtMs: null as number | null,
    isUsed: false,
  };
}

/** The destination of webhooks: an endpoint, or the legacy webhook of an account. */
export type Hook = ReturnType<typeof createHook>;
export function createHook(account: Account, settings: Omit<EndpointRequest, 'tenantId'>) {
  return {
    id: randomUUID(),
    account,
    events: EVENT_KINDS,
    secret: `whsec_${randomBytes(24).toString('hex')}`,
    enabled: true,
    ...settings,
    /** Null unless deliveries are paused. */
    pauseReason: null as string | null,
    lastDeliveredAtMs: null as number | null,
    ...HEALTHY,
    deliveries: [] as Delivery[],
  };
}

/** The pace of a hook without failures since the last 2xx. */
export const HEALTHY = {
  failures: 0,
  failingSinceMs: null as number | null,
  rejectingSinceMs: null as number | null,
  notBeforeMs: 0,
};

/** An event for one hook. */
export type Delivery = ReturnType<typeof createDelivery>;
export function createDelivery(url: string, event: EventKind, envelope: object, nowMs: number) {
  return {
    /** The address at the time of the event. Later edits of the hook do not change it. */
    url,
    event,
    envelope,
    /** Created when the event is first sent. */
    body: null as string | null,
    attempts: 0,
    createdAtMs: nowMs,
    /** No attempt starts after this time. */
    deadlineMs: nowMs + DAY_MS,
    state: 'waiting' as 'waiting' | 'sending' | 'delivered' | 'undelivered',
  };
}

export function toIso(timeMs: number): string {
  return new Date(timeMs).toISOString();
}
