/** How the service filters, searches and counts sessions, and filters deliveries. */
import { beforeEach, describe, expect, it } from 'vitest';
import { LAB_PREFIX } from '../../../mock-server/api/brand.ts';
import type { SessionFilter, SessionStatisticsFilter } from '../../../mock-server/index.ts';
import { aMock, answered, type Mock, NEW_YEAR } from '../../support/a-mock.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const OUTCOMES = [
  'verified',
  'failed_age_not_met',
  'failed_image_quality',
  'cancelled',
  null,
] as const;
const toTime = (afterMs: number): string => new Date(NEW_YEAR + afterMs).toISOString();

let my: Mock;
/** The ids of the sessions, oldest first. One is created every 20 minutes. */
let ids: string[];

beforeEach(async () => {
  my = await aMock();
  ids = [];
  for (let n = 0; n < 20; n += 1) {
    const { sessionId } = await my.create({ externalUserId: n === 0 ? null : `Customer-${n}` });
    ids.push(sessionId);
    await my.clock.advance(n * 1_000);
    const outcome = OUTCOMES[n % OUTCOMES.length];
    if (outcome) await my.control.settle(sessionId, outcome);
    await my.clock.advance(20 * MINUTE - n * 1_000);
  }
  await my.create({ externalUserId: `${LAB_PREFIX}attack` });
});

const find = async (filter: SessionFilter): Promise<string[]> =>
  (await my.control.sessions(filter)).map(({ id }) => id);

describe('sessions', () => {
  it('are found by the short id that lists show, by a whole id, and by a part of the externalUserId', async () => {
    for (const id of ids) expect(await find({ text: id.slice(0, 8) })).toContain(id);
    expect(await find({ text: ` ${ids[3]!.toUpperCase()} ` })).toEqual([ids[3]]);
    expect(await find({ text: 'customer-7' })).toEqual([ids[7]]);
    expect(await find({ text: 'CUSTOMER-' })).toHaveLength(19);
    expect(await find({ text: ids[3]!.slice(1, 9) })).toEqual([]);
    expect(await find({ text: ' ' })).toHaveLength(21);
  });

  it('are filtered by reason and by the time of creation, from its start to before its end', async () => {
    expect(await find({ reason: 'image_quality' })).toEqual([ids[17], ids[12], ids[7], ids[2]]);
    expect(await find({ from: toTime(HOUR), to: toTime(2 * HOUR) })).toEqual(
      ids.slice(3, 6).toReversed(),
    );
    expect(await find({ to: toTime(20 * MINUTE) })).toEqual([ids[0]]);
  });

  it.each(['../..', '%', '\uD800', '?status=x', '𝒜', ''])(
    'are searched for %j without an error, over HTTP too',
    async (text) => {
      const query = new URLSearchParams({ text });
      expect((await my.call('GET', `/sessions?${query}`)).status).toBe(200);
      expect((await my.call('GET', `/session-statistics?${query}`)).status).toBe(200);
    },
  );

  it.each(['from', 'to'])('are refused with a time in %s that is not ISO 8601', async (name) => {
    expect(await my.call('GET', `/sessions?${name}=yesterday`)).toMatchObject({
      status: 400,
      body: { message: [expect.stringContaining(`${name} must be a date`)] },
    });
  });
});

describe('sessionStatistics()', () => {
  const FILTERS: readonly SessionStatisticsFilter[] = [
    {},
    { labs: false },
    { text: 'customer-1' },
    { status: 'failed' },
    { reason: 'age_not_met', from: toTime(HOUR) },
    { from: toTime(HOUR), to: toTime(3 * HOUR) },
    { from: toTime(3 * HOUR + 1) },
    { to: toTime(HOUR) },
    { from: toTime(1_000 * HOUR) },
  ];

  it.each(FILTERS)(
    'returns the numbers that a count of all listed sessions gives: %j',
    async (filter) => {
      const listed = await my.control.sessions({ ...filter, limit: 1_000 });
      const { total, counts, completionRate, passRate, medianMs, reasons } =
        await my.control.sessionStatistics(filter);
      expect(total).toBe(listed.length);
      for (const [status, count] of Object.entries(counts)) {
        expect(count).toBe(listed.filter((one) => one.status === status).length);
      }
      const ended = listed.filter(({ status }) => status !== 'pending');
      const results = ended.filter(({ status }) => ['verified', 'failed'].includes(status));
      const passes = results.filter(({ status }) => status === 'verified');
      expect(completionRate).toBe(ended.length === 0 ? null : results.length / ended.length);
      expect(passRate).toBe(results.length === 0 ? null : passes.length / results.length);
      const durations = results
        .map(({ createdAt, settledAt }) => Date.parse(settledAt!) - Date.parse(createdAt))
        .toSorted((a, b) => a - b);
      const half = (durations.length - 1) / 2;
      const middle = [durations[Math.floor(half)], durations[Math.ceil(half)]];
      expect(medianMs).toBe(durations.length === 0 ? null : (middle[0]! + middle[1]!) / 2);
      for (const { reason, count } of reasons) {
        expect(count).toBe(
          listed.filter((one) => one.status === 'failed' && one.reason === reason).length,
        );
      }
      const failed = listed.filter(({ status }) => status === 'failed');
      expect(reasons.reduce((sum, { count }) => sum + count, 0)).toBe(failed.length);
    },
  );

  it('counts more sessions than a page of a list has', async () => {
    const sessions = 1_100;
    for (let n = 0; n < sessions; n += 1) {
      // The rate limit counts each minute anew.
      if (n % 100 === 0) await my.clock.advance(MINUTE);
      await my.create();
    }
    expect(await my.control.sessionStatistics({})).toMatchObject({ total: sessions + 21 });
  });

  it('divides the period into steps, the last of which contains the present', async () => {
    const { total, steps } = await my.control.sessionStatistics({
      from: toTime(0),
      stepMs: HOUR,
      labs: false,
    });
    // 20 sessions in 400 minutes.
    expect(steps.map((step) => step.total)).toEqual([3, 3, 3, 3, 3, 3, 2]);
    expect(steps.map(({ from }) => from)).toEqual(steps.map((_, n) => toTime(n * HOUR)));
    for (const { from, counts, total: inStep } of steps) {
      const to = new Date(Date.parse(from) + HOUR).toISOString();
      expect(inStep).toBe((await find({ from, to, labs: false })).length);
      expect(Object.values(counts).reduce((sum, count) => sum + count)).toBe(inStep);
    }
    expect(total).toBe(20);
  });

  it('counts the equally long period before, and names the oldest session', async () => {
    const filter = { from: toTime(2 * HOUR), to: toTime(3 * HOUR) };
    expect(await my.control.sessionStatistics(filter)).toMatchObject({
      total: 3,
      previousTotal: 3,
      oldestAt: toTime(0),
    });
    expect(await my.control.sessionStatistics({ from: filter.to, to: filter.from })).toMatchObject({
      total: 0,
      previousTotal: null,
    });
    expect(await my.control.sessionStatistics()).toMatchObject({ previousTotal: null, steps: [] });
  });

  it.each([
    ['stepMs=1000', 'stepMs needs from, the time at which the first step begins'],
    [
      'stepMs=1&from=2026-01-01&to=2026-01-02',
      'stepMs must divide the period into at most 1000 steps, got 86400000',
    ],
    ['stepMs=0', 'stepMs must be an integer from 1 to 9007199254740991'],
  ])('refuses %s with a sentence', async (query, sentence) => {
    expect(await my.call('GET', `/session-statistics?${query}`)).toMatchObject({
      status: 400,
      body: { message: [sentence] },
    });
  });
});

it('deliveries are filtered by status, event and text', async () => {
  const other = await aMock({ answer: (_, n) => answered(n % 2 === 0 ? 204 : 500) });
  await other.control.createEndpoint(other.tenantId, { url: 'https://shop.example/a' });
  for (const externalUserId of ['anna', 'ben']) {
    const { sessionId } = await other.create({ externalUserId });
    await other.control.settle(sessionId, 'verified');
  }
  await other.clock.advance(0);
  const all = await other.control.deliveries({ limit: 1_000 });
  const [endpointId] = all.map((one) => one.endpointId ?? '');
  expect(all).toHaveLength(4);
  const filters = [
    { status: 'delivered' },
    { status: 'pending' },
    { event: 'session.started' },
    { status: 'delivered', event: 'verification.completed' },
  ] as const;
  for (const filter of filters) {
    const wanted = all.filter((one) =>
      Object.entries(filter).every(([name, value]) => one[name as 'status' | 'event'] === value),
    );
    expect(await other.control.deliveries({ endpointId, ...filter })).toEqual(wanted);
  }
  const [first] = all;
  for (const text of [first!.id, first!.eventId, first!.sessionId.slice(0, 8), 'ANN']) {
    const found = await other.control.deliveries({ endpointId, text });
    expect(found.map(({ id }) => id)).toContain(first!.id);
    expect(found.every(({ sessionId }) => sessionId === first!.sessionId)).toBe(true);
  }
  expect(await other.control.deliveries({ text: 'nobody' })).toEqual([]);
  expect(await other.call('GET', '/deliveries?status=lost')).toMatchObject({ status: 400 });
});
