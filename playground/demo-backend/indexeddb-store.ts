import { type IDBPDatabase, openDB } from 'idb';
import type { LabStore } from './lab-store.ts';
import type { ShopStore, Table } from '../reference-backend/store.ts';

/** Creates a store in the browser, for the static playground. */
export function createIndexedDbStore(databaseName: string): ShopStore {
  const database = open(databaseName);
  return {
    customers: createTable(database, 'customers'),
    verifications: createTable(database, 'verifications'),
    checkUrls: createTable(database, 'checkUrls'),
    completions: createTable(database, 'completions'),
    grants: createTable(database, 'grants'),
    events: createTable(database, 'events'),
    orders: createTable(database, 'orders'),
  };
}

/** Creates the labs' store in a separate database. */
export function createIndexedDbLabStore(databaseName: string): LabStore {
  const database = open(databaseName);
  return {
    receiver: createTable(database, 'receiver'),
    captured: createTable(database, 'captured'),
    careless: createTable(database, 'careless'),
    refusal: createTable(database, 'refusal'),
  };
}

type Database = Promise<IDBPDatabase>;

/** Opens the database. If that fails, as in a private window, each call on its tables fails. */
function open(name: string): Database {
  const database = openDB(name, 1, { upgrade: (db) => void db.createObjectStore(ROWS) });
  database.catch(() => {});
  return database;
}

const ROWS = 'rows';

function createTable<Row>(database: Database, name: string): Table<Row> {
  return {
    get: async (id) => (await database).get(ROWS, `${name}/${id}`),
    update: async (id, change) => {
      // In one read-write transaction of IndexedDB, so tabs of the same origin cannot interleave.
      const { store, done } = (await database).transaction(ROWS, 'readwrite');
      const key = `${name}/${id}`;
      const row = await store.get(key);
      await Promise.all([store.put(change(row), key), done]);
    },
  };
}
