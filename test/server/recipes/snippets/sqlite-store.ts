import { DatabaseSync } from 'node:sqlite';
import type { WebhookStore } from 'ofage/server';

const EIGHT_DAYS_MS = 8 * 24 * 60 * 60 * 1000;

/** One row per event. The row has a token while a server handles the event, and none afterwards. */
export function createSqliteWebhookStore(file: string): WebhookStore {
  const db = new DatabaseSync(file, { timeout: 5000 });
  db.exec(`CREATE TABLE IF NOT EXISTS ofage_webhooks (
    key TEXT PRIMARY KEY, token TEXT, until_ms BIGINT NOT NULL
  )`);
  // A single statement, so that only one of two servers can claim the event. A row blocks other
  // claims until it expires.
  const claim = db.prepare(`INSERT INTO ofage_webhooks (key, token, until_ms) VALUES (?, ?, ?)
    ON CONFLICT (key) DO UPDATE SET token = excluded.token, until_ms = excluded.until_ms
    WHERE ofage_webhooks.until_ms <= ? RETURNING key`);
  const read = db.prepare('SELECT token FROM ofage_webhooks WHERE key = ?');
  const finish = db.prepare(`INSERT INTO ofage_webhooks (key, token, until_ms) VALUES (?, NULL, ?)
    ON CONFLICT (key) DO UPDATE SET token = NULL, until_ms = excluded.until_ms`);
  const release = db.prepare('DELETE FROM ofage_webhooks WHERE key = ? AND token = ?');
  const forget = db.prepare('DELETE FROM ofage_webhooks WHERE until_ms <= ?');
  return {
    async claim(key, token, leaseMs) {
      const now = Date.now();
      if (claim.get(key, token, now + leaseMs, now)) return 'new';
      // If the row was deleted in between, the service sends the event again later.
      return read.get(key)?.['token'] === null ? 'done' : 'in_progress';
    },
    async complete(key) {
      forget.run(Date.now());
      finish.run(key, Date.now() + EIGHT_DAYS_MS);
    },
    async release(key, token) {
      release.run(key, token);
    },
  };
}
