import { describe, expect, it } from 'vitest';
import type { Snapshot } from '../../../mock-server/control/snapshot.ts';
import { createMemoryLog, createSharedMemory } from '../../../mock-server/logs/memory.ts';
import { answered, createScene, HOOK, HOUR, MINUTE } from './scene.ts';

const LEGACY = 'https://legacy.example/hook';
const OTHER = 'https://other.example/webhooks';

type Row = Record<string, any> & { id: string };
type Place = readonly [table: string, row: Row];

/**
 * Returns the rows as an earlier version stored them. The legacy webhook is in a separate table, the pause
 * is part of the endpoint's health, and all former URLs of the endpoint share one health.
 */
function toEarlier(places: readonly Place[]): Place[] {
  const endpoints = new Map(
    places.flatMap(([table, row]) => (table === 'endpoints' ? [[row.id, row]] : [])),
  );
  const toLane = ({ endpointId, url }: Row): string =>
    endpoints.get(endpointId)?.['url'] === url ? endpointId : `${endpointId}~former`;
  return places.map(([table, row]): Place => {
    switch (table) {
      case 'endpoints': {
        const { kind, pause: _, ...endpoint } = row;
        if (kind !== 'legacy') return [table, endpoint];
        const { tenantId: _tenantId, pairId: _pairId, enabled: _enabled, ...legacy } = endpoint;
        return ['legacyWebhooks', legacy as Row];
      }
      case 'endpointHealth': {
        const { endpointId, url: _, ...health } = row;
        const pause = endpoints.get(endpointId)?.['pause'] ?? null;
        const id = toLane(row);
        const own = id === endpointId ? pause : null;
        const pauseNo = own ? 1 : 0;
        const { atMs: pausedAtMs = null, reason: pauseReason = null } = own ?? {};
        return [table, { ...health, id, pausedAtMs, pauseReason, pauseNo }];
      }
      case 'deliveries':
        return [table, { ...row, lane: toLane(row) }];
      default:
        return [table, row];
    }
  });
}

function toEarlierSnapshot(snapshot: Snapshot): Snapshot {
  const places = Object.entries(snapshot.tables).flatMap(([table, rows]) =>
    rows.map((row): Place => [table, row]),
  );
  const tables: Snapshot['tables'] = {};
  for (const [table, row] of toEarlier(places)) (tables[table] ??= []).push(row);
  return { ...snapshot, tables };
}

/** Ways to continue, in a new service, from the state that an earlier version saved. */
const ways = {
  async 'data file'(run: (scene: Scene) => Promise<void>, answer: Answer): Promise<Scene> {
    const shared = createSharedMemory();
    const options = { pollMs: 0, endpoints: ENDPOINTS };
    const first = await createScene(answer, { ...options, log: createMemoryLog(shared) });
    await run(first);
    const rows = new Map<string, Place>();
    for (const { changes } of shared.entries) {
      for (const [table, id, row] of changes) {
        if (row) rows.set(`${table} ${id}`, [table, row as Row]);
        else rows.delete(`${table} ${id}`);
      }
    }
    const changes = toEarlier([...rows.values()]).map(([table, row]) => [table, row.id, row]);
    shared.entries.splice(0, Infinity, { snapshot: true, changes: changes as never });
    return createScene(answer, { ...options, log: createMemoryLog(shared) });
  },
  async snapshot(run: (scene: Scene) => Promise<void>, answer: Answer): Promise<Scene> {
    const first = await createScene(answer, { endpoints: ENDPOINTS });
    await run(first);
    const again = await createScene(answer, { endpoints: ENDPOINTS });
    await again.control.loadSnapshot(toEarlierSnapshot(await first.control.snapshot()));
    return { ...again, tenantId: first.tenantId, endpointId: first.endpointId };
  },
};

type Scene = Awaited<ReturnType<typeof createScene>>;
type Answer = Parameters<typeof createScene>[0];

const ENDPOINTS = [{ url: HOOK, events: ['verification.completed' as const] }];

describe.each(Object.entries(ways))('in a %s of an earlier version', (_name, continueFrom) => {
  it('a legacy webhook receives pending and new events', async () => {
    const { control, complete, advance, tenantId } = await continueFrom(
      async (first) => {
        await first.control.deleteEndpoint(first.endpointId);
        await first.control.putLegacyWebhook(first.tenantId, {
          url: LEGACY,
          events: ['verification.completed'],
        });
        await first.complete();
      },
      () => answered(204),
    );
    await advance(0);
    await complete();
    await advance(MINUTE);
    const delivered = { endpointId: null, url: LEGACY, status: 'delivered' };
    expect(await control.deliveries()).toMatchObject([delivered, delivered]);
    expect(await control.legacyWebhook(tenantId)).toMatchObject({
      url: LEGACY,
      isActive: true,
      health: { state: 'healthy', pending: 0 },
    });
  });

  it('a former URL that keeps failing gets only a few requests an hour, and does not delay the new URL', async () => {
    const { control, complete, advance, sent, endpointId } = await continueFrom(
      async (first) => {
        await first.complete(20);
        await first.advance(HOUR);
        await first.control.updateEndpoint(first.endpointId, { url: OTHER });
        await first.complete();
      },
      (url) => answered(url === HOOK ? 500 : 204),
    );
    await advance(HOUR);
    await complete();
    await advance(0);
    expect(sent.filter(({ url }) => url === OTHER)).toHaveLength(2);
    const former = sent.filter(({ url }) => url === HOOK);
    expect(former.length).toBeGreaterThan(5);
    expect(former.length).toBeLessThan(9);
    expect((await control.endpoint(endpointId)).health).toMatchObject({
      state: 'healthy',
      pending: 20,
    });
  });

  it('a paused endpoint stays paused, with its reason', async () => {
    let before: unknown;
    const { control, complete, advance, sent, endpointId } = await continueFrom(
      async (first) => {
        await first.complete();
        await first.advance(2 * HOUR);
        before = await first.health();
      },
      () => answered(401),
    );
    expect((await control.endpoint(endpointId)).health).toEqual(before);
    expect(before).toMatchObject({ state: 'paused', pauseReason: 'rejecting' });
    await complete();
    await advance(HOUR);
    expect(sent).toEqual([]);
    expect(await control.notices()).toHaveLength(1);
  });
});
