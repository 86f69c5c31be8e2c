import * as v from 'valibot';
import type { AccountControl, TenantResource } from '../../api/accounts.ts';
import { isDomainEntry } from '../../rules/allowed-domains.ts';
import { findLegacyWebhook } from '../../rules/endpoints.ts';
import { createTenant, getTenant, updateTenant } from '../../rules/tenants.ts';
import { TIMEOUT_ATTEMPTS_MAX } from '../../rules/webhook-limits.ts';
import type { Db } from '../../store/db.ts';
import { toIso } from '../../store/instant.ts';
import type { TenantRow } from '../../store/rows.ts';
import {
  choice,
  optionalAge,
  optionalFlag,
  optionalInteger,
  optionalMode,
  optionalLine,
  requiredLine,
  requiredText,
} from '../schemas/fields.ts';
import { billingBlock, count, flag, id, instant, policy, text } from '../schemas/values.ts';
import { op, type OperationsOf } from './operation.ts';

export const tenantResource = v.strictObject({
  id,
  name: text,
  createdAt: instant,
  policy,
  allowedDomains: v.array(text),
  sandboxMode: flag,
  billingBlock: v.nullable(billingBlock),
  rateLimits: v.strictObject({ create: count, validate: count }),
  members: v.array(
    v.strictObject({ email: text, role: v.picklist(['owner', 'admin', 'developer']) }),
  ),
  timeoutAttempts: count,
  hasLegacyWebhook: flag,
});

const DOMAIN_MESSAGE =
  'each value in allowedDomains must be a host such as shop.example, or *.shop.example';

/** Pattern that approximates isDomainEntry() for /openapi.json: a host, with an optional `*.` in front. */
const DOMAIN_PATTERN =
  /^(\*\.)?(\[[\dA-Fa-f:.]+\]|[^\s/\\?#@*%<>^|:.]([^\s/\\?#@*%<>^|:]*[^\s/\\?#@*%<>^|:.])?)$/;

export const tenantInput = v.object({
  name: optionalLine('name'),
  policy: v.nullish(
    v.object({
      verificationMode: optionalMode('policy.verificationMode'),
      challengeAge: optionalAge('policy.challengeAge'),
      faceMatchEnabled: optionalFlag('policy.faceMatchEnabled'),
    }),
  ),
  allowedDomains: v.nullish(
    v.array(
      v.pipe(
        v.string(DOMAIN_MESSAGE),
        v.regex(DOMAIN_PATTERN, DOMAIN_MESSAGE),
        v.check(isDomainEntry, DOMAIN_MESSAGE),
      ),
      'allowedDomains must be an array',
    ),
  ),
  sandboxMode: optionalFlag('sandboxMode'),
  billingBlock: v.nullish(
    v.object({
      code: choice('billingBlock.code', [
        'SUBSCRIPTION_REQUIRED',
        'PLAN_LIMIT_REACHED',
        'SANDBOX_LIMIT_REACHED',
      ]),
      message: requiredText('billingBlock.message'),
      portalUrl: v.exactOptional(v.string('billingBlock.portalUrl must be a string')),
    }),
  ),
  rateLimits: v.nullish(
    v.object({
      create: optionalInteger('rateLimits.create', 1, 1_000_000),
      validate: optionalInteger('rateLimits.validate', 1, 1_000_000),
    }),
  ),
  members: v.nullish(
    v.array(
      v.object({
        email: requiredLine('email'),
        role: choice('role', ['owner', 'admin', 'developer']),
      }),
      'members must be an array',
    ),
  ),
  timeoutAttempts: optionalInteger('timeoutAttempts', 1, TIMEOUT_ATTEMPTS_MAX),
});

export const accountOperations = {
  tenants: op({
    summary: 'List the accounts',
    response: v.array(tenantResource),
    run: ({ transact }) =>
      transact((db) => Array.from(db.all('tenants'), (tenant) => toTenantResource(db, tenant))),
  }),
  createTenant: op({
    summary: 'Add an account',
    input: tenantInput,
    example: {
      name: 'Wine & Co',
      policy: { verificationMode: 'L2', challengeAge: 30, faceMatchEnabled: true },
      allowedDomains: ['shop.example', '*.wine.example'],
      sandboxMode: false,
      billingBlock: {
        code: 'PLAN_LIMIT_REACHED',
        message: 'The plan is used up',
        portalUrl: 'https://billing.ofage.example/',
      },
      rateLimits: { create: 1_000, validate: 500 },
      members: [{ email: 'anna@shop.example', role: 'owner' }],
      timeoutAttempts: 5,
    },
    response: tenantResource,
    status: 201,
    run: ({ transact }, input) =>
      transact((db, moment) => toTenantResource(db, createTenant(db, input, moment))),
  }),
  tenant: op({
    summary: 'Get an account',
    idOf: 'tenant',
    response: tenantResource,
    run: ({ transact }, id) => transact((db) => toTenantResource(db, getTenant(db, id))),
  }),
  updateTenant: op({
    summary: 'Change an account',
    idOf: 'tenant',
    input: tenantInput,
    example: { billingBlock: null, sandboxMode: true },
    response: tenantResource,
    run: ({ transact }, id, change) =>
      transact((db) => toTenantResource(db, updateTenant(db, id, change))),
  }),
} satisfies OperationsOf<AccountControl>;

export function toTenantResource(db: Db, { createdAtMs, ...tenant }: TenantRow): TenantResource {
  const hasLegacyWebhook = findLegacyWebhook(db, tenant.id) !== undefined;
  return { ...tenant, createdAt: toIso(createdAtMs), hasLegacyWebhook };
}
