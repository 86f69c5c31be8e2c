import { describe, expect, it } from 'vitest';
import { createMemoryLog, createSharedMemory } from '../../../mock-server/logs/memory.ts';
import { answered, createScene, MINUTE } from './scene.ts';

const LEGACY = 'https://legacy.example/hook';

type Row = Record<string, any>;

/** A legacy webhook as an earlier version stored it: in a table of its own, under the account's id. */
function toEarlierLegacy(row: Row): Row {
  const { kind: _, tenantId: _tenantId, pairId: _pairId, enabled: _enabled, ...earlier } = row;
  return earlier;
}

describe('a legacy webhook that an earlier version stored', () => {
  it('gets what waits for it and what comes, from its data file', async () => {
    const shared = createSharedMemory();
    const options = { pollMs: 0, endpoints: [] };
    const first = await createScene(() => answered(503), {
      ...options,
      log: createMemoryLog(shared),
    });
    await first.control.putLegacyWebhook(first.tenantId, { url: LEGACY });
    await first.complete();
    for (const entry of shared.entries as { changes: unknown }[]) {
      entry.changes = (entry.changes as [string, string, Row | null][]).map(([table, id, row]) =>
        table === 'endpoints' && row?.['kind'] === 'legacy'
          ? ['legacyWebhooks', id, toEarlierLegacy(row)]
          : [table, id, row],
      );
    }
    const again = await createScene(() => answered(204), {
      ...options,
      log: createMemoryLog(shared),
    });
    await again.advance(0);
    await again.complete();
    await again.advance(MINUTE);
    expect(await again.control.deliveries()).toMatchObject(
      Array.from({ length: 4 }, () => ({ endpointId: null, status: 'delivered' })),
    );
    expect(await again.control.legacyWebhook(again.tenantId)).toMatchObject({
      url: LEGACY,
      isActive: true,
      health: { state: 'healthy', pending: 0 },
    });
  });

  it('gets what waits for it, from its snapshot', async () => {
    const first = await createScene(() => answered(204), { endpoints: [] });
    await first.control.putLegacyWebhook(first.tenantId, { url: LEGACY });
    await first.complete();
    const snapshot = await first.control.snapshot();
    const { endpoints = [], ...tables } = snapshot.tables;
    const again = await createScene(() => answered(204), { endpoints: [] });
    await again.control.loadSnapshot({
      ...snapshot,
      tables: { ...tables, legacyWebhooks: endpoints.map(toEarlierLegacy) as { id: string }[] },
    });
    await again.advance(MINUTE);
    expect(again.sent.map(({ url }) => url)).toEqual([LEGACY, LEGACY]);
    expect(await again.control.legacyWebhook(first.tenantId)).toMatchObject({ url: LEGACY });
  });
});
