import { expect, it } from 'vitest';
import { createStore } from '../../../../mock-server/store/store.ts';
import { createMemoryLog } from '../../../../mock-server/store/logs/memory.ts';
import { createSharedMemory, createSharedMemoryLog } from '../../../support/shared-memory-log.ts';
import { logConformance } from './log-conformance.ts';

logConformance(
  'the memory log',
  async () => {
    const shared = createSharedMemory();
    return {
      open: () => createSharedMemoryLog(shared),
      entries: async () => shared.entries.length,
      dispose: async () => {},
    };
  },
  { isShared: true, compacts: false },
);

it('the memory log shares no state if it was created without shared memory', async () => {
  const log = createMemoryLog();
  const one = createStore(log);
  await one.transact((db) => db.put('settings', { id: 'a', value: 'x' }));
  expect(await one.transact((db) => db.get('settings', 'a'))).toEqual({ id: 'a', value: 'x' });
  const other = createStore(createMemoryLog());
  expect(await other.transact((db) => db.count('settings'))).toBe(0);
});
