import { randomBytes, randomUUID } from 'node:crypto';
import type { AccountSettings } from 'ofage/conformance';
import type { CreateBody } from './bodies.ts';
import { createClock } from './clock.ts';
import { createRateLimit } from './rate-limits.ts';

const MINUTE_MS = 60_000;
export const DEFAULT_LIMITS = { create: 300, validate: 100 };

export interface SecondServiceOptions {
  /** Validating a session does not consume it, so the service must fail the kit. @default false */
  readonly grantsTwice?: boolean;
}

/** All records of the service. They are kept in memory and do not survive the process. */
export type Service = ReturnType<typeof createService>;
export function createService({ grantsTwice = false }: SecondServiceOptions) {
  return {
    clock: createClock(),
    accounts: new Map<string, Account>(),
    keys: new Map<string, ApiKey>(),
    sessions: new Map<string, Session>(),
    grantsTwice,
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

export function toIso(timeMs: number): string {
  return new Date(timeMs).toISOString();
}
