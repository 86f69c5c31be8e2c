import { LAB_PREFIX } from '../../../mock-server/api/brand.ts';
import { beforeEach, describe, expect, it } from 'vitest';
import { aMock, type Mock } from '../../support/a-mock.ts';

let my: Mock;
beforeEach(async () => {
  my = await aMock();
});

const idsOf = ({ items }: { items: { id: string }[] }): string[] => items.map(({ id }) => id);

/** Reads a list to its end, page by page. */
async function readAll(path: string, limit: number): Promise<string[][]> {
  const pages: string[][] = [];
  let before = '';
  for (;;) {
    const mark = path.includes('?') ? '&' : '?';
    const { body } = await my.call('GET', `${path}${mark}limit=${limit}${before}`);
    pages.push(idsOf(body));
    if (body.next === null) return pages;
    before = `&before=${body.next}`;
  }
}

describe('lists', () => {
  it('of sessions return pages, newest first', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 5; n += 1) ids.unshift((await my.create()).sessionId);
    expect(await readAll('/sessions', 2)).toEqual([ids.slice(0, 2), ids.slice(2, 4), ids.slice(4)]);
    expect(await readAll('/sessions', 5)).toEqual([ids]);
  });

  it('of sessions leave out those of the labs on request, page by page', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 3; n += 1) {
      ids.unshift((await my.create()).sessionId);
      await my.create({ externalUserId: `${LAB_PREFIX}attack` });
    }
    expect(await readAll('/sessions?labs=false', 2)).toEqual([ids.slice(0, 2), ids.slice(2)]);
    expect((await readAll('/sessions', 10)).flat()).toHaveLength(6);
  });

  it('of events return pages from the newest to the oldest, each in ascending order', async () => {
    for (let n = 0; n < 3; n += 1) await my.create();
    const ids = idsOf((await my.call('GET', '/events')).body);
    expect(ids).toHaveLength(3);
    expect(await readAll('/events', 2)).toEqual([ids.slice(1), ids.slice(0, 1)]);
  });

  it('of the deliveries of a session return each delivery once', async () => {
    const { tenantId } = await my.service.ready;
    for (const name of ['a', 'b', 'c'])
      await my.service.control.createEndpoint(tenantId, { url: `https://${name}.example/hook` });
    const { sessionId } = await my.create();
    const path = `/deliveries?sessionId=${sessionId}`;
    const ids = idsOf((await my.call('GET', path)).body);
    expect(ids).toHaveLength(3);
    expect(await readAll(path, 2)).toEqual([ids.slice(1), ids.slice(0, 1)]);
  });

  it('skip no item if new items arrive between two pages', async () => {
    const first = (await my.create()).sessionId;
    const second = (await my.create()).sessionId;
    const page = (await my.call('GET', '/sessions?limit=1')).body;
    expect(idsOf(page)).toEqual([second]);
    await my.create();
    expect(idsOf((await my.call('GET', `/sessions?before=${page.next}`)).body)).toEqual([first]);
  });

  it('accept as `before` only the id of an item of the same list', async () => {
    const { sessionId } = await my.create();
    const other = await my.control.createTenant();
    const path = `/sessions?tenantId=${other.id}&before=${sessionId}`;
    expect(await my.call('GET', path)).toMatchObject({
      status: 400,
      body: { message: [`before must be the id of an item of this list, got "${sessionId}"`] },
    });
  });
});

describe('next outcomes', () => {
  const path = async () => `/tenants/${my.tenantId}/next-outcomes`;

  it('are queued, used in order by new sessions, and cleared', async () => {
    const outcomes = ['failed_age_not_met', 'cancelled'];
    expect(await my.call('POST', await path(), { outcomes })).toMatchObject({
      status: 201,
      body: { items: outcomes },
    });
    await my.call('POST', await path(), { outcomes: ['verified', 'never'] });
    const presets = [];
    for (let n = 0; n < 3; n += 1) {
      const { sessionId } = await my.create();
      presets.push((await my.control.session(sessionId)).presetOutcome);
    }
    expect(presets).toEqual(['failed_age_not_met', 'cancelled', 'verified']);
    expect((await my.call('GET', await path())).body.items).toEqual(['never']);
    expect((await my.call('DELETE', await path())).status).toBe(204);
    const { sessionId } = await my.create();
    expect((await my.control.session(sessionId)).presetOutcome).toBeNull();
  });

  it('are not used up by a session that requests a scenario', async () => {
    await my.call('POST', await path(), { outcomes: ['verified'] });
    await my.create({ externalUserId: 'ofage_test:cancelled' });
    expect((await my.call('GET', await path())).body.items).toEqual(['verified']);
  });

  it('are not used up by a rejected request', async () => {
    await my.call('POST', await path(), { outcomes: ['verified'] });
    await my.create({ returnUrl: 'https://elsewhere.example/' });
    expect((await my.call('GET', await path())).body.items).toEqual(['verified']);
  });

  it('are separate for each account', async () => {
    const other = await my.control.createTenant();
    await my.control.queueNextOutcomes(other.id, ['cancelled']);
    const { sessionId } = await my.create();
    expect((await my.control.session(sessionId)).presetOutcome).toBeNull();
  });

  it('are limited to 1,000', async () => {
    const outcomes = Array.from({ length: 1_000 }, () => 'verified');
    expect((await my.call('POST', await path(), { outcomes })).status).toBe(201);
    expect((await my.call('POST', await path(), { outcomes: ['never'] })).status).toBe(409);
  });
});
