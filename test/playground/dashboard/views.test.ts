/** The texts of the dashboard sections about keys, endpoints, settings and files. */
import { describe, expect, it } from 'vitest';
import {
  describeAttempt,
  describeRedelivery,
  describeTest,
  explainState,
  toActions,
} from '../../../playground/dashboard/endpoint-view.ts';
import { toHealthLines } from '../../../playground/dashboard/health-lines.ts';
import { explainPair, maskSecret } from '../../../playground/dashboard/key-view.ts';
import {
  addDomains,
  toBillingChange,
  toBillingDraft,
  toNumberOrText,
} from '../../../playground/dashboard/settings-change.ts';
import { parseSnapshotFile, toSnapshotName } from '../../../playground/shared/snapshot-file.ts';
import { createMockService } from '../../../mock-server/index.ts';

async function anAccount() {
  const { control, ready } = createMockService({ clock: { frozen: true } });
  const { tenantId } = await ready;
  const [pair] = await control.keyPairs(tenantId);
  return { control, tenantId, pair: pair! };
}

describe('explainPair', () => {
  type Status = 'active' | 'paused' | 'revoked';
  it.each<[Status, Status, RegExp | null]>([
    ['active', 'active', null],
    ['paused', 'active', /503/],
    ['revoked', 'active', /503/],
    ['active', 'paused', /nobody can validate/],
    ['active', 'revoked', /nobody can validate/],
    ['paused', 'paused', /403/],
    ['revoked', 'revoked', /401/],
  ])(
    'for a publishable key that is %s and a secret key that is %s',
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

it('maskSecret shows only the prefix of a secret', () => {
  expect(maskSecret('sk_0123456789')).toMatch(/^sk_•+$/);
  expect(maskSecret('whatever')).toMatch(/^•+$/);
});

it('describes the state of an endpoint and enables the buttons that have an effect', async () => {
  const { control, tenantId } = await anAccount();
  const { health, ...endpoint } = await control.createEndpoint(tenantId, {
    url: 'https://shop.example/hooks',
  });
  expect(explainState(health)).toMatch(/^Nothing has been sent yet/);
  expect(explainState({ ...health, state: 'degraded', consecutiveFailures: 1 })).toMatch(
    /last 1 request failed/,
  );
  expect(toActions({ ...endpoint, health })).toEqual({
    mayTest: true,
    mayResume: false,
    mayRedeliver: false,
  });
  const paused = { ...health, pausedAt: '2026-11-21T08:00:00.000Z', undelivered: 3 };
  expect(toActions({ enabled: false, health: paused })).toEqual({
    mayTest: false,
    mayResume: true,
    mayRedeliver: true,
  });
});

it.each([
  [{ outcome: null, httpStatus: null, error: null, durationMs: null }, 'under way'],
  [{ outcome: 'ok', httpStatus: 204, error: null, durationMs: 12 }, '204 in 12 ms'],
  [
    { outcome: 'fail', httpStatus: null, error: 'timeout', durationMs: 15_000 },
    'no answer: timeout in 15 s',
  ],
  [
    { outcome: 'lost', httpStatus: null, error: null, durationMs: null },
    'its end was never recorded',
  ],
] as const)('describeAttempt formats attempt %#', (attempt, text) => {
  expect(describeAttempt({ ...attempt, fault: null })).toBe(text);
});

it('describeAttempt names the fault that caused a failure', () => {
  const attempt = { outcome: 'fail', httpStatus: 503, error: null, durationMs: 0 } as const;
  expect(describeAttempt({ ...attempt, fault: '503' })).toMatch(/^503 .*by the fault 503$/);
});

it('describes the result of a test and of a redelivery', () => {
  const answer = { httpStatus: 204, error: null, durationMs: 3 };
  expect(describeTest({ success: true, resumed: true, ...answer })).toMatch(/^Resumed/);
  expect(describeTest({ success: true, resumed: false, ...answer })).toContain('was accepted');
  expect(describeTest({ success: false, resumed: false, ...answer, httpStatus: 500 })).toBe(
    'The test event was not accepted: 500 in 3 ms',
  );
  expect(describeRedelivery({ queued: 0, remaining: 0 })).toMatch(/nothing/);
  expect(describeRedelivery({ queued: 1, remaining: 0 })).toBe('Queued 1 event again');
  expect(describeRedelivery({ queued: 500, remaining: 20 })).toContain('20 more');
});

it('the health summary lists everything that needs attention', async () => {
  const { control, tenantId, pair } = await anAccount();
  const tenant = await control.updateTenant(tenantId, {
    billingBlock: { code: 'PLAN_LIMIT_REACHED', message: 'Used up' },
  });
  await control.setKeyStatus(pair.publishable.id, 'paused');
  const lines = toHealthLines({
    tenant,
    pairs: await control.keyPairs(tenantId),
    endpoints: [],
    legacy: null,
    faults: [await control.addFault({ operation: 'create', fault: '503', count: 2 })],
    nextOutcomes: await control.queueNextOutcomes(tenantId, ['cancelled']),
  });
  const texts = lines.map(({ tone, text }) => `${tone}: ${text}`);
  expect(texts).toContain('bad: Billing: Used up (PLAN_LIMIT_REACHED)');
  expect(texts).toContain('bad: No key pair can be used');
  expect(texts).toContain('warn: The next 2 create calls: 503');
  expect(texts).toContain('accent: The next 1 session: cancelled');
  expect(texts).toContain('neutral: No endpoint: your server hears nothing by itself');
  expect(new Set(lines.map(({ id }) => id)).size).toBe(lines.length);
});

describe('settings', () => {
  it.each([
    ['30', 30],
    [' 30 ', 30],
    ['2.5', 2.5],
    ['', ''],
    ['  ', '  '],
    ['thirty', 'thirty'],
  ])('toNumberOrText(%j) returns a number or the unchanged text', (text, value) =>
    expect(toNumberOrText(text)).toBe(value),
  );

  it('addDomains splits pasted text and drops duplicates', () => {
    expect(addDomains(['a.example'], ' b.example,a.example;\n*.c.example ')).toEqual([
      'a.example',
      'b.example',
      '*.c.example',
    ]);
    expect(addDomains(['a.example'], '  ')).toEqual(['a.example']);
  });

  it('a billing block is sent unchanged, or removed when no code is selected', () => {
    const block = { code: 'PLAN_LIMIT_REACHED', message: 'Used up' } as const;
    expect(toBillingChange(toBillingDraft(block))).toEqual({ billingBlock: block });
    expect(toBillingChange({ ...toBillingDraft(block), code: '' })).toEqual({ billingBlock: null });
  });
});

describe('snapshot files', () => {
  it('are named after the time', () => {
    expect(toSnapshotName('2026-11-21T08:30:00.000Z')).toBe('ofage-run-2026-11-21T08-30-00Z.json');
  });

  it.each([
    ['', /not JSON/],
    ['{', /not JSON/],
    ['[]', /one JSON object/],
    ['null', /one JSON object/],
  ])('%j is rejected with a message', (text, why) => {
    expect(() => parseSnapshotFile(text)).toThrow(why);
  });

  it('any JSON object is accepted, because the service checks the rest', () => {
    expect(parseSnapshotFile('{"format":"x"}')).toEqual({ format: 'x' });
  });
});
