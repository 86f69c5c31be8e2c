import { type UseStore, createStore, get, update } from 'idb-keyval';
import type { LabStore } from '../labs/server/store.ts';
import type { ShopStore, Table } from '../shop/server/store.ts';

/** Creates a store in the browser, for the static playground. */
export function createIndexedDbStore(databaseName: string): ShopStore {
  const database = createStore(databaseName, 'rows');
  return {
    customers: createTable(database, 'customers'),
    verifications: createTable(database, 'verifications'),
    completions: createTable(database, 'completions'),
    events: createTable(database, 'events'),
    orders: createTable(database, 'orders'),
  };
}

/** Creates the labs' store in a separate database. */
export function createIndexedDbLabStore(databaseName: string): LabStore {
  const database = createStore(databaseName, 'rows');
  return {
    receiver: createTable(database, 'receiver'),
    captured: createTable(database, 'captured'),
    careless: createTable(database, 'careless'),
    refusal: createTable(database, 'refusal'),
  };
}

function createTable<Row>(database: UseStore, name: string): Table<Row> {
  return {
    get: (id) => get<Row>(`${name}/${id}`, database),
    // `update` uses one read-write transaction of IndexedDB, so tabs of the same origin cannot interleave.
    update: (id, change) => update<Row>(`${name}/${id}`, change, database),
  };
}
