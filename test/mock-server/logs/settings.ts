import type { Store } from '../../../mock-server/store/store.ts';

export function put(store: Store, id: string, value: string): Promise<unknown> {
  return store.transact((db) => db.put('settings', { id, value }));
}

export function read(store: Store): Promise<Record<string, string>> {
  return store.transact((db) =>
    Object.fromEntries(Array.from(db.all('settings'), ({ id, value }) => [id, value])),
  );
}

export function useUp(store: Store, id: string, by: string): Promise<boolean> {
  return store.transact((db) => {
    if (db.get('settings', id)?.value !== 'fresh') return false;
    db.put('settings', { id, value: `used by ${by}` });
    return true;
  });
}
