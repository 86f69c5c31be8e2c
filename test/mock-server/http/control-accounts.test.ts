import { describe, expect, it } from 'vitest';
import { call, useService } from './control-calls.ts';

useService();

describe('accounts and keys', () => {
  it('are created, changed and listed', async () => {
    const { body: tenant } = await call('POST', '/tenants', {
      name: 'Wine',
      policy: { challengeAge: 30 },
      allowedDomains: ['*.wine.example'],
    });
    expect(tenant).toEqual({
      id: expect.any(String),
      name: 'Wine',
      createdAt: '2026-01-01T00:00:00.000Z',
      policy: { verificationMode: 'L1', challengeAge: 30, faceMatchEnabled: true },
      allowedDomains: ['*.wine.example'],
      sandboxMode: true,
      billingBlock: null,
      rateLimits: { create: 300, validate: 100 },
      members: [{ email: 'owner@shop.example', role: 'owner' }],
      timeoutAttempts: 3,
      hasLegacyWebhook: false,
    });
    const changed = await call('PATCH', `/tenants/${tenant.id}`, {
      policy: { verificationMode: 'L2' },
      rateLimits: { create: 1000 },
    });
    expect(changed.body).toEqual({
      ...tenant,
      policy: { verificationMode: 'L2', challengeAge: 30, faceMatchEnabled: true },
      rateLimits: { create: 1000, validate: 100 },
    });
    expect((await call('GET', '/tenants')).body.items).toHaveLength(2);

    const { body: pair } = await call('POST', `/tenants/${tenant.id}/key-pairs`);
    expect(pair.publishable).toMatchObject({
      pairId: pair.pairId,
      kind: 'publishable',
      status: 'active',
    });
    expect(pair.secret).toMatchObject({ pairId: pair.pairId, kind: 'secret', tenantId: tenant.id });
    expect((await call('GET', `/tenants/${tenant.id}/key-pairs`)).body.items).toEqual([pair]);

    const paused = await call('PATCH', `/keys/${pair.secret.id}`, { status: 'paused' });
    expect(paused.body.status).toBe('paused');
    expect((await call('DELETE', `/keys/${pair.secret.id}`)).body.status).toBe('revoked');
    const revived = await call('PATCH', `/keys/${pair.secret.id}`, { status: 'active' });
    expect(revived).toMatchObject({ status: 409, body: { error: 'Conflict' } });
  });

  it.each([
    [{ policy: { challengeAge: 10 } }, ['policy.challengeAge must not be less than 25']],
    [{ policy: { minAge: 10 } }, ['property policy.minAge should not exist']],
    [{ policy: 5 }, ['policy must be an object']],
    [
      { allowedDomains: ['https://shop.example'] },
      ['each value in allowedDomains must be a host such as shop.example, or *.shop.example'],
    ],
    [{ allowedDomains: 'shop.example' }, ['allowedDomains must be an array']],
    [{ rateLimits: { create: 0 } }, ['rateLimits.create must not be less than 1']],
    [
      { billingBlock: { code: 'NO' } },
      [
        'billingBlock.code must be one of the following values: SUBSCRIPTION_REQUIRED, PLAN_LIMIT_REACHED, SANDBOX_LIMIT_REACHED',
        'billingBlock.message should not be empty',
      ],
    ],
    [{ secret: 'x', name: 1 }, ['property secret should not exist', 'name must be a string']],
  ])('are not created by POST /tenants with %j', async (body, message) => {
    expect(await call('POST', '/tenants', body)).toMatchObject({ status: 400, body: { message } });
  });
});
