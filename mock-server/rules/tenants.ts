import type { TenantInput } from '../api/accounts.ts';
import { compareFacts, type Facts, recordChange, toNewValues } from '../store/changes.ts';
import type { Db, Moment } from '../store/db.ts';
import { ServiceError } from '../store/errors.ts';
import { drawFree, type Random, toUuid } from '../store/random.ts';
import type { Member, TenantRow } from '../store/rows.ts';
import { DEFAULT_RATE_LIMITS } from './keys.ts';
import { TIMEOUT_ATTEMPTS } from './webhook-limits.ts';

export function createTenant(
  db: Db,
  input: TenantInput,
  { nowMs, random }: Moment,
  id = newOwnerId(db, random),
): TenantRow {
  if (db.get('tenants', id))
    throw new ServiceError('conflict', `A tenant with the id "${id}" already exists`);
  const tenant = putTenant(db, { ...DEFAULTS, id, createdAtMs: nowMs }, input);
  recordChange(db, { kind: 'account.added', tenantId: id, values: toNewValues(toFacts(tenant)) });
  return tenant;
}

/**
 * Draws the id of an account or an endpoint. It differs from the ids of both, because a legacy webhook is an
 * endpoint that has the id of its account.
 */
export function newOwnerId(db: Db, random: Random): string {
  return drawFree(
    () => toUuid(random),
    (id) => db.get('tenants', id) !== undefined || db.get('endpoints', id) !== undefined,
  );
}

export function updateTenant(db: Db, id: string, change: TenantInput): TenantRow {
  const before = getTenant(db, id);
  const after = putTenant(db, before, change);
  const values = compareFacts(toFacts(before), toFacts(after));
  if (values.length > 0) recordChange(db, { kind: 'account.changed', tenantId: id, values });
  return after;
}

/** The name and the email addresses of members are personal data, so a change does not keep them. */
function toFacts({ policy, rateLimits, billingBlock, members, ...tenant }: TenantRow): Facts {
  return {
    shown: {
      'policy.verificationMode': policy.verificationMode,
      'policy.challengeAge': policy.challengeAge,
      'policy.faceMatchEnabled': policy.faceMatchEnabled,
      allowedDomains: tenant.allowedDomains.join(', '),
      sandboxMode: tenant.sandboxMode,
      billingBlock: billingBlock?.code ?? null,
      'rateLimits.create': rateLimits.create,
      'rateLimits.validate': rateLimits.validate,
      timeoutAttempts: tenant.timeoutAttempts,
      members: members.length,
    },
    hidden: { name: tenant.name, members, billingBlock },
  };
}

export function getTenant(db: Db, id: string): TenantRow {
  const tenant = db.get('tenants', id);
  if (!tenant) throw new ServiceError('not_found', 'Tenant not found');
  return tenant;
}

/**
 * Returns the members of the account, or the default if the account does not exist.
 */
export function membersOf(db: Db, tenantId: string): readonly Member[] {
  return db.get('tenants', tenantId)?.members ?? DEFAULTS.members;
}

/** Returns the maximum number of attempts for each timeout delivery of the account. */
export function timeoutAttemptsOf(db: Db, tenantId: string): number {
  return db.get('tenants', tenantId)?.timeoutAttempts ?? DEFAULTS.timeoutAttempts;
}

const DEFAULTS: Omit<TenantRow, 'id' | 'createdAtMs'> = {
  name: '',
  policy: { verificationMode: 'L1', challengeAge: 25, faceMatchEnabled: true },
  allowedDomains: [],
  sandboxMode: true,
  billingBlock: null,
  rateLimits: DEFAULT_RATE_LIMITS,
  members: [{ email: 'owner@shop.example', role: 'owner' }],
  timeoutAttempts: TIMEOUT_ATTEMPTS,
};

function putTenant(db: Db, tenant: TenantRow, change: TenantInput): TenantRow {
  const { policy, rateLimits } = change;
  return db.put('tenants', {
    ...tenant,
    name: change.name ?? tenant.name,
    policy: {
      verificationMode: policy?.verificationMode ?? tenant.policy.verificationMode,
      challengeAge: policy?.challengeAge ?? tenant.policy.challengeAge,
      faceMatchEnabled: policy?.faceMatchEnabled ?? tenant.policy.faceMatchEnabled,
    },
    allowedDomains: change.allowedDomains ?? tenant.allowedDomains,
    sandboxMode: change.sandboxMode ?? tenant.sandboxMode,
    billingBlock: change.billingBlock === undefined ? tenant.billingBlock : change.billingBlock,
    rateLimits: {
      create: rateLimits?.create ?? tenant.rateLimits.create,
      validate: rateLimits?.validate ?? tenant.rateLimits.validate,
    },
    members: change.members ?? tenant.members,
    timeoutAttempts: change.timeoutAttempts ?? tenant.timeoutAttempts,
  });
}
