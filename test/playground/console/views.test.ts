/** What the console enables, orders and hides on its pages about keys and endpoints. */
import { describe, expect, it } from 'vitest';
import type { HealthResource } from 'ofage-mock';
import {
  describeState,
  explainRedeliverBlock,
  explainState,
  sortBySeverity,
  toStateTone,
} from '../../../playground/console/endpoint-view.ts';
import { toAttention } from '../../../playground/console/attention.ts';
import { summarizePause } from '../../../playground/shared/console/paused-note.tsx';
import { explainPair, maskSecret, sortPairs } from '../../../playground/console/key-view.ts';
import { aMock, answered } from '../../support/a-mock.ts';
import { RETURN_URL } from '../../support/api.ts';
import { createMockService } from '../../../mock-server/index.ts';

async function anAccount() {
  const { control, ready } = createMockService({ clock: { frozen: true } });
  const { tenantId } = await ready;
  const [pair] = await control.keyPairs(tenantId);
  return { control, tenantId, pair: pair! };
}

async function anEndpoint(change: Partial<HealthResource> = {}) {
  const { control, tenantId } = await anAccount();
  const endpoint = await control.createEndpoint(tenantId, { url: 'https://shop.example/hooks' });
  return { ...endpoint, health: { ...endpoint.health, ...change } };
}

describe('explainPair', () => {
  type Status = 'active' | 'paused' | 'revoked';
  it.each<[Status, Status, RegExp | null]>([
    ['active', 'active', null],
    ['paused', 'active', /503/],
    ['revoked', 'active', /503/],
    ['active', 'paused', /cannot validate/],
    ['active', 'revoked', /cannot validate/],
    ['paused', 'paused', /403/],
    ['revoked', 'revoked', /401/],
  ])(
    'returns $2 if the publishable key is $0 and the secret key is $1',
    async (publishable, secret, expected) => {
      const { pair } = await anAccount();
      const why = explainPair({
        ...pair,
        publishable: { ...pair.publishable, status: publishable },
        secret: { ...pair.secret, status: secret },
      });
      if (expected) expect(why).toMatch(expected);
      else expect(why).toBeNull();
    },
  );
});

it('sortPairs offers the pairs with which the API creates sessions, and gives the reason for each other', async () => {
  const { api, control, tenantId } = await aMock();
  const states = ['active', 'paused', 'revoked'] as const;
  for (const publishable of states) {
    for (const secret of states) {
      const pair = await control.createKeyPair(tenantId);
      await control.setKeyStatus(pair.publishable.id, publishable);
      await control.setKeyStatus(pair.secret.id, secret);
    }
  }
  const all = await control.keyPairs(tenantId);
  const { working, refused } = sortPairs(all);
  expect(working.length + refused.length).toBe(all.length);
  expect(refused.every(({ why }) => why !== '')).toBe(true);
  for (const { pairId, secret } of all) {
    const input = { returnUrl: RETURN_URL };
    const { status } = await api('create', secret.value, input);
    expect(status < 300).toBe(working.some((one) => one.pairId === pairId));
  }
});

it('maskSecret shows only the prefix of a secret', () => {
  expect(maskSecret('sk_0123456789')).toMatch(/^sk_•+$/);
  expect(maskSecret('whatever')).toMatch(/^•+$/);
});

it('the console describes the state of an endpoint and its pause', async () => {
  const { health } = await anEndpoint();
  expect(explainState(health)).toMatch(/^No events yet/);
  const failed = { ...health, state: 'failing' as const, consecutiveFailures: 1 };
  expect(explainState(failed)).toMatch(/last 1 request failed/);
  const missed = { ...health, state: 'healthy' as const, undelivered: 2 };
  expect(explainState(missed)).toMatch(/^2 earlier events did not arrive/);
  expect(toStateTone(failed)).toBe('bad');
  expect(explainRedeliverBlock(health)).toBeNull();
  expect(summarizePause(health)).toBe('Paused: new events are not delivered');
  expect(summarizePause(missed)).toBe('Paused: 2 events not delivered');
});

it.each([
  ['disabled', false, /enable/],
  ['failing', false, /Test the webhook/],
  ['healthy', false, /Test the webhook/],
  ['healthy', true, null],
] as const)(
  'the reason not to redeliver events of a %s endpoint (mayRedeliver: %s) is %s',
  async (state, mayRedeliver, block) => {
    const { health } = await anEndpoint({ state, undelivered: 1, mayRedeliver });
    const reason = explainRedeliverBlock(health);
    if (block) expect(reason).toMatch(block);
    else expect(reason).toBeNull();
  },
);

it('the overview lists what needs attention, the most urgent first, and nothing if all is well', async () => {
  const { control, tenantId, pair } = await anAccount();
  const endpoint = await control.createEndpoint(tenantId, { url: 'https://shop.example/hooks' });
  const well = {
    tenant: await control.tenant(tenantId),
    pairs: [pair],
    endpoints: [endpoint],
    legacy: null,
    faults: [],
    nextOutcomes: [],
    findings: (await control.doctor()).findings,
    untried: [],
    hasSteps: false,
  };
  expect(toAttention(well)).toEqual([]);

  const { id: sessionId } = await control.trigger({ name: 'verified' });
  await control.addObservation({ kind: 'url_status_trusted', sessionId });
  await control.setKeyStatus(pair.publishable.id, 'paused');
  const lines = toAttention({
    ...well,
    tenant: await control.updateTenant(tenantId, {
      billingBlock: { code: 'PLAN_LIMIT_REACHED', message: 'Used up' },
    }),
    pairs: await control.keyPairs(tenantId),
    endpoints: [],
    faults: [await control.addFault({ operation: 'create', fault: '503', count: 2 })],
    nextOutcomes: await control.queueNextOutcomes(tenantId, ['cancelled']),
    findings: (await control.doctor()).findings,
  });
  const texts = lines.map(({ tone, text }) => `${tone}: ${text}`);
  expect(texts).toContain('bad: Billing: Used up (PLAN_LIMIT_REACHED)');
  expect(texts).toContain('bad: No key pair can be used');
  expect(lines.every(({ action }) => action !== '')).toBe(true);
  expect(texts).toContain('warn: The next 2 create requests: 503');
  expect(texts).toContain('accent: The next session: cancelled');
  expect(texts).toContain('neutral: No endpoint: your server gets no webhooks');
  expect(lines.filter(({ badge }) => badge === 'doctor')).toHaveLength(1);
  expect(new Set(lines.map(({ id }) => id)).size).toBe(lines.length);
  const tones = lines.map(({ tone }) => tone);
  expect(tones).toEqual(['bad', 'bad', 'bad', 'warn', 'warn', 'accent', 'neutral']);
});

it.each(['publishable', 'secret'] as const)(
  'the overview names a pair of which only the %s key is revoked, and not one that is retired',
  async (kind) => {
    const { control, tenantId } = await anAccount();
    const [half, retired] = [
      await control.createKeyPair(tenantId),
      await control.createKeyPair(tenantId),
    ];
    await control.setKeyStatus(half[kind].id, 'revoked');
    for (const key of [retired.publishable, retired.secret])
      await control.setKeyStatus(key.id, 'revoked');
    const lines = toAttention({
      tenant: await control.tenant(tenantId),
      pairs: await control.keyPairs(tenantId),
      endpoints: [await control.createEndpoint(tenantId, { url: 'https://shop.example/hooks' })],
      legacy: null,
      faults: [],
      nextOutcomes: [],
      findings: [],
      untried: [],
      hasSteps: false,
    });
    expect(lines.map(({ id }) => id)).toEqual([`keys:${half.pairId}`]);
  },
);

it('the overview says what is wrong with an endpoint, since when and what to do, and leaves out the lab', async () => {
  const { control, clock, ready } = createMockService({
    clock: { frozen: true, now: new Date('2026-11-21T08:00:00Z') },
    sender: { send: async () => answered(410) },
  });
  const { tenantId } = await ready;
  const url = 'https://shop.example/hooks';
  await control.createEndpoint(tenantId, { url });
  await control.createEndpoint(tenantId, { url: `${url}?ofage_lab=receiver` });
  await control.trigger({ name: 'verified' });
  await clock.advance(1_000);
  const endpoints = await control.endpoints(tenantId);
  expect(endpoints.map(({ health }) => health.state)).toEqual(['failing', 'failing']);
  const lines = toAttention({
    tenant: await control.tenant(tenantId),
    pairs: await control.keyPairs(tenantId),
    endpoints,
    legacy: null,
    faults: [],
    nextOutcomes: [],
    untried: [],
    hasSteps: false,
    findings: (await control.doctor({ tenantId })).findings.filter(({ code }) =>
      code.startsWith('webhook_'),
    ),
  });
  expect(lines).toEqual([
    expect.objectContaining({
      tone: 'bad',
      badge: expect.stringMatching(/^failing/),
      text: expect.stringMatching(/^Webhooks to https:\/\/shop\.example\/hooks fail\. The last \d/),
      time: { word: 'began', at: '2026-11-21T08:00:00.000Z' },
      action: 'Test the webhook',
      to: { page: 'webhooks', id: endpoints[0]?.id },
    }),
  ]);
});

it('the overview says that no endpoint of the account gets webhooks, if only the lab has one', async () => {
  const { control, tenantId } = await anAccount();
  await control.createEndpoint(tenantId, { url: 'https://shop.example/hooks?ofage_lab=receiver' });
  const lines = toAttention({
    tenant: await control.tenant(tenantId),
    pairs: await control.keyPairs(tenantId),
    endpoints: await control.endpoints(tenantId),
    legacy: null,
    faults: [],
    nextOutcomes: [],
    findings: [],
    untried: [],
    hasSteps: false,
  });
  expect(lines.map(({ text }) => text)).toEqual(['No endpoint: your server gets no webhooks']);
});

describe('the state of a webhook', () => {
  const at = '2026-11-21T08:00:00.000Z';

  it('is shown as the service reports it, with the number of undelivered events while it sends', async () => {
    const { health } = await anEndpoint();
    expect(describeState(health)).toBe('new');
    expect(toStateTone(health)).toBe('neutral');
    const used = { ...health, state: 'healthy' as const };
    expect(describeState(used)).toBe('healthy');
    expect(toStateTone(used)).toBe('good');
    expect(toStateTone({ ...used, undelivered: 1 })).toBe('warn');
    expect(describeState({ ...used, undelivered: 3 })).toBe('healthy, 3 not delivered');
    expect(describeState({ ...used, state: 'failing', undelivered: 3 })).toBe(
      'failing, 3 not delivered',
    );
    expect(describeState({ ...used, state: 'paused', undelivered: 3 })).toBe('paused');
    expect(describeState({ ...used, state: 'disabled', undelivered: 3 })).toBe('disabled');
  });

  it('determines the order of webhooks: by severity, and then by the number of undelivered events', async () => {
    const unused = await anEndpoint();
    const healthy = await anEndpoint({ state: 'healthy' });
    const off = await anEndpoint({ state: 'disabled' });
    const failing = await anEndpoint({ state: 'failing', lastFailureAt: at });
    const paused = await anEndpoint({ state: 'paused', lastFailureAt: at, undelivered: 2 });
    const worst = await anEndpoint({ state: 'paused', lastFailureAt: at, undelivered: 848 });
    expect(sortBySeverity([off, unused, healthy, paused, failing, worst])).toEqual([
      worst,
      paused,
      failing,
      healthy,
      unused,
      off,
    ]);
  });
});
