import { DatabaseSync } from 'node:sqlite';
import type { WebhookStore } from 'ofage/server';

const EIGHT_DAYS_MS = 8 * 24 * 60 * 60 * 1000;

/** One row an event. Somebody is at it while it has a token, and it is done when it has none. */
export function createSqliteWebhookStore(file: string): WebhookStore {
  const db = new DatabaseSync(file, { timeout: 5000 });
  db.exec(`CREATE TABLE IF NOT EXISTS ofage_webhooks (
    key TEXT PRIMARY KEY, token TEXT, until_ms BIGINT NOT NULL
  )`);
  // One statement, so that of two servers one takes the event: a row stands in the way for as long
  // as it holds.
  const take = db.prepare(`INSERT INTO ofage_webhooks (key, token, until_ms) VALUES (?, ?, ?)
    ON CONFLICT (key) DO UPDATE SET token = excluded.token, until_ms = excluded.until_ms
    WHERE ofage_webhooks.until_ms <= ? RETURNING key`);
  const look = db.prepare('SELECT token FROM ofage_webhooks WHERE key = ?');
  const finish = db.prepare(`INSERT INTO ofage_webhooks (key, token, until_ms) VALUES (?, NULL, ?)
    ON CONFLICT (key) DO UPDATE SET token = NULL, until_ms = excluded.until_ms`);
  const free = db.prepare('DELETE FROM ofage_webhooks WHERE key = ? AND token = ?');
  const forget = db.prepare('DELETE FROM ofage_webhooks WHERE until_ms <= ?');
  return {
    async claim(key, token, leaseMs) {
      const now = Date.now();
      if (take.get(key, token, now + leaseMs, now)) return 'new';
      // If the row went away in between, the service asks again.
      return look.get(key)?.['token'] === null ? 'done' : 'in_progress';
    },
    async complete(key) {
      forget.run(Date.now());
      finish.run(key, Date.now() + EIGHT_DAYS_MS);
    },
    async release(key, token) {
      free.run(key, token);
    },
  };
}
