import { DatabaseSync } from 'node:sqlite';
import type { ResultStore } from 'ofage/server';

/** One row per session. A final result never changes, so the first one stays. */
export function createSqliteResultStore(file: string): ResultStore {
  const db = new DatabaseSync(file, { timeout: 5000 });
  db.exec('CREATE TABLE IF NOT EXISTS ofage_results (session_id TEXT PRIMARY KEY, result TEXT)');
  const read = db.prepare('SELECT result FROM ofage_results WHERE session_id = ?');
  const insert = db.prepare('INSERT INTO ofage_results VALUES (?, ?) ON CONFLICT DO NOTHING');
  return {
    async get(sessionId) {
      const row = read.get(sessionId);
      return row && JSON.parse(String(row['result']));
    },
    async set(sessionId, result) {
      insert.run(sessionId, JSON.stringify(result));
    },
  };
}
