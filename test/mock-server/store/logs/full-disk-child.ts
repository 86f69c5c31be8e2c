// sqlite.test.ts runs this program in a process whose file size is limited.
import { createStore } from '../../../../mock-server/store/store.ts';
import { openSqliteLog } from '../../../../mock-server/store/logs/sqlite.ts';

const store = createStore(openSqliteLog(process.argv[2]!));
const ids = (): Promise<string[]> =>
  store.transact((db) => Array.from(db.all('settings'), ({ id }) => id));
const put = (id: string, value: string): Promise<unknown> =>
  store.transact((db) => db.put('settings', { id, value }));

await put('before', 'x');
/** Writes a row that does not fit, and returns the error. */
async function overfill(length: number): Promise<unknown> {
  const error = await put('too long', 'x'.repeat(length)).catch((reason: unknown) => reason);
  const { code, message } = error as { code: string; message: string };
  return { code, message };
}

// The short row fits into SQLite's cache and fails at the commit. The long one fails before the commit.
const errors = [await overfill(1_200_000), await overfill(5_000_000)];
const afterFailure = await ids();
await put('next', 'x');
console.log(JSON.stringify({ errors, afterFailure, afterNext: await ids() }));
await store.close();
