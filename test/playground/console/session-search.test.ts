import { beforeAll, describe, expect, it } from 'vitest';
import type { SessionResource } from 'ofage-mock';
import {
  toCsv,
  addSessions,
  findExactly,
  PAGE_SIZE,
  searchSessions,
  type SessionSearch,
  toFieldValue,
  toPage,
} from '../../../playground/console/session-search.ts';
import { createTestSession } from '../../../playground/console/test-session.ts';
import { createProvider, type Provider } from '../../../playground/shared/provider.ts';
import { createMockService } from '../../../mock-server/index.ts';

const COUNT = 60;
const ALL: SessionSearch = { text: '', status: '', reason: '', pairId: '', from: '', to: '' };
let provider: Provider;
let tenantId: string;
/** The sessions of the account, newest first. */
let loaded: readonly SessionResource[];
const ids: string[] = [];

beforeAll(async () => {
  const service = createMockService({ clock: { frozen: true } });
  provider = createProvider(service);
  const { secretKey, ...account } = await service.ready;
  tenantId = account.tenantId;
  for (let n = 0; n < COUNT; n += 1) {
    const { sessionId } = await createTestSession(provider, secretKey, {
      returnUrl: 'http://localhost/',
      externalUserId: n === 0 ? null : `Customer-${n}`,
    });
    ids.push(sessionId);
    await service.clock.advance(1_000);
  }
  await service.control.settle(ids[7]!, 'verified');
  await service.control.settle(ids[8]!, 'failed_age_not_met');
  const other = await service.control.createTenant({ name: 'Other' });
  const { secret } = await service.control.createKeyPair(other.id);
  const foreign = await createTestSession(provider, secret.value, {
    returnUrl: 'http://localhost/',
    externalUserId: 'Customer-7',
  });
  ids.push(foreign.sessionId);
  loaded = await service.control.sessions({ tenantId, limit: 1_000 });
});

const find = (search: Partial<SessionSearch>): string[] =>
  searchSessions(loaded, { ...ALL, ...search }).map(({ id }) => id);

describe('searchSessions', () => {
  it('returns all sessions for an empty search, newest first', () => {
    expect(find({})).toEqual(ids.slice(0, COUNT).toReversed());
  });

  it('finds sessions by a part of their externalUserId', () => {
    expect(find({ text: ' customer-7 ' })).toEqual([ids[7]]);
    expect(find({ text: 'customer-' })).toHaveLength(COUNT - 1);
  });

  it('filters by status, reason and key pair', () => {
    expect(find({ status: 'verified' })).toEqual([ids[7]]);
    expect(find({ text: ids[7]!, status: 'pending' })).toEqual([]);
    expect(find({ reason: 'age_not_met' })).toEqual([ids[8]]);
    expect(find({ pairId: loaded[0]!.pairId })).toHaveLength(COUNT);
    expect(find({ pairId: 'another' })).toEqual([]);
  });

  it('includes the start of a time span and excludes its end', () => {
    const firstMs = Date.parse(loaded.at(-1)!.createdAt);
    const minute = toFieldValue(firstMs);
    const nextMinute = toFieldValue(firstMs + 60_000);
    const isWithin = ({ createdAt }: SessionResource) => createdAt.startsWith(minute);
    expect(find({ from: minute, to: nextMinute })).toHaveLength(loaded.filter(isWithin).length);
    expect(find({ from: nextMinute })).toHaveLength(COUNT - loaded.filter(isWithin).length);
    expect(find({ to: minute })).toEqual([]);
  });
});

describe('toPage', () => {
  it('divides the sessions into pages, in both directions', () => {
    const found = searchSessions(loaded, ALL);
    const first = toPage(found, '');
    const second = toPage(found, first.older!);
    const third = toPage(found, second.older!);
    expect([...first.items, ...second.items, ...third.items]).toEqual(found);
    expect(first).toMatchObject({ skipped: 0, newer: null });
    expect(third).toMatchObject({ skipped: 2 * PAGE_SIZE, older: null });
    expect(toPage(found, third.newer!)).toEqual(second);
    expect(toPage(found, second.newer!)).toEqual(first);
  });
});

describe('findExactly', () => {
  const findIds = async (text: string) =>
    (await findExactly(provider.client, tenantId, text)).map(({ id }) => id);

  it('finds a session by its id or its whole externalUserId', async () => {
    expect(await findIds(ids[0]!)).toEqual([ids[0]]);
    expect(await findIds(' Customer-7 ')).toEqual([ids[7]]);
    expect(await findIds('Customer')).toEqual([]);
  });

  it("does not find another account's session by its id", async () => {
    expect(await findIds(ids[COUNT]!)).toEqual([]);
  });

  it.each(['../..', '%', '\uD800', '?status=x', ''])('accepts %j as search text', async (text) => {
    await expect(findIds(text)).resolves.toBeDefined();
  });
});

it('addSessions adds only unknown sessions, in the order of their creation', () => {
  const [oldest, newest] = [loaded.at(-1), loaded[0]];
  expect(addSessions(loaded.slice(0, -1), [newest!, oldest!])).toEqual(loaded);
  expect(addSessions(loaded, [oldest!])).toBe(loaded);
});

describe('toCsv', () => {
  it('writes one line for each session, below the names of the columns', () => {
    const [head, ...lines] = toCsv(loaded).trimEnd().split('\r\n');
    expect(head).toMatch(/^id,status,reason,externalUserId,createdAt,/);
    expect(lines).toHaveLength(COUNT);
    expect(lines[COUNT - 1 - 8]).toMatch(new RegExp(`^${ids[8]},failed,age_not_met,Customer-8,2`));
  });

  it.each([
    ['a,b', '"a,b"'],
    ['say "hi"', '"say ""hi"""'],
    ['two\nlines', '"two\nlines"'],
    ['=HYPERLINK("x")', '"\'=HYPERLINK(""x"")"'],
    ['@SUM(1)', "'@SUM(1)"],
    [null, ''],
  ])('writes %j as %j', (externalUserId, cell) => {
    const csv = toCsv([{ ...loaded[0]!, externalUserId }]);
    expect(csv).toContain(`,pending,,${cell},2`);
  });
});
