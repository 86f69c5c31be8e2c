import { beforeAll, describe, expect, it } from 'vitest';
import {
  findSessions,
  isMatch,
  PAGE_SIZE,
  type SessionSearch,
} from '../../../playground/dashboard/find-sessions.ts';
import { createTestSession } from '../../../playground/dashboard/test-session.ts';
import { createProvider, type Provider } from '../../../playground/shared/provider.ts';
import { createMockService } from '../../../mock-server/index.ts';

const COUNT = 60;
let provider: Provider;
let all: SessionSearch;
const ids: string[] = [];

beforeAll(async () => {
  const service = createMockService({ clock: { frozen: true } });
  provider = createProvider(service);
  const { tenantId, secretKey } = await service.ready;
  all = { tenantId, text: '', status: '', pairId: '', before: '' };
  for (let n = 0; n < COUNT; n += 1) {
    const { sessionId } = await createTestSession(provider, secretKey, {
      returnUrl: 'http://localhost/',
      externalUserId: n === 0 ? null : `Customer-${n}`,
    });
    ids.push(sessionId);
    await service.clock.advance(1_000);
  }
  await service.control.settle(ids[7]!, 'verified');
  const other = await service.control.createTenant({ name: 'Other' });
  const { secret } = await service.control.createKeyPair(other.id);
  const foreign = await createTestSession(provider, secret.value, {
    returnUrl: 'http://localhost/',
    externalUserId: 'Customer-7',
  });
  ids.push(foreign.sessionId);
});

const find = async (search: Partial<SessionSearch>) => {
  const { items, next } = await findSessions(provider.client, { ...all, ...search });
  return { ids: items.map(({ id }) => id), next };
};

/** Returns the ids on all pages, in order. */
async function findAll(search: Partial<SessionSearch>): Promise<string[]> {
  const found: string[] = [];
  for (let before = ''; ;) {
    const page = await find({ ...search, before });
    found.push(...page.ids);
    if (page.next === null) return found;
    before = page.next;
  }
}

describe('findSessions', () => {
  it('pages through all sessions, newest first', async () => {
    expect((await find({})).ids).toHaveLength(PAGE_SIZE);
    expect(await findAll({})).toEqual(ids.slice(0, COUNT).toReversed());
  });

  it('pages through the search results', async () => {
    const found = await findAll({ text: 'customer-' });
    expect(found).toHaveLength(COUNT - 1);
    expect(new Set(found).size).toBe(COUNT - 1);
  });

  it('finds a part of an externalUserId, only among the sessions of the account', async () => {
    expect((await find({ text: ' customer-7 ' })).ids).toEqual([ids[7]]);
  });

  it('finds a session by its id or the beginning of the id', async () => {
    expect((await find({ text: ids[0]! })).ids).toEqual([ids[0]]);
    expect((await find({ text: ids[0]!.slice(0, 12) })).ids).toContain(ids[0]);
  });

  it("does not find another account's session by its id", async () => {
    expect((await find({ text: ids[COUNT]! })).ids).toEqual([]);
  });

  it('filters by status', async () => {
    expect((await find({ status: 'verified' })).ids).toEqual([ids[7]]);
    expect((await find({ text: ids[7]!, status: 'pending' })).ids).toEqual([]);
  });

  it.each(['../..', '%', '\uD800', '?status=x', ''])('accepts %j as search text', async (text) => {
    await expect(find({ text })).resolves.toBeDefined();
  });
});

it('isMatch accepts the beginning of an id, but not its middle', () => {
  const session = { id: 'abcd-1234', externalUserId: null };
  expect(isMatch(session, 'ABC')).toBe(true);
  expect(isMatch(session, '1234')).toBe(false);
});
