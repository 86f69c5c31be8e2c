import * as v from 'valibot';
import type { AccountControl } from '../../api/accounts.ts';
import { createTenant, getTenant, updateTenant } from '../../rules/tenants.ts';
import { toTenantResource } from '../to-wire.ts';
import { tenantInput } from './inputs.ts';
import { op, type OperationsOf } from './operation.ts';
import * as show from './schemas/control.ts';

export const accountOperations = {
  tenants: op({
    summary: 'List the accounts',
    response: v.array(show.tenant),
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
    response: show.tenant,
    status: 201,
    run: ({ transact }, input) =>
      transact((db, moment) => toTenantResource(db, createTenant(db, input, moment))),
  }),
  tenant: op({
    summary: 'Get an account',
    idOf: 'tenant',
    response: show.tenant,
    run: ({ transact }, id) => transact((db) => toTenantResource(db, getTenant(db, id))),
  }),
  updateTenant: op({
    summary: 'Change an account',
    idOf: 'tenant',
    input: tenantInput,
    example: { billingBlock: null, sandboxMode: true },
    response: show.tenant,
    run: ({ transact }, id, change) =>
      transact((db) => toTenantResource(db, updateTenant(db, id, change))),
  }),
} satisfies OperationsOf<AccountControl>;
