// Run by ../postgres.ts. Stores rows like the log, one per transaction, but without a lock.
// Waits for a message before it starts, and sends back the number of stored rows.
import { once } from 'node:events';
import { Client } from 'pg';

const [url = '', connections = 0, milliseconds = 0, bytes = 0] = JSON.parse(
  process.argv[2] ?? '[]',
) as [string, number, number, number];
const body = 'x'.repeat(bytes);
const clients = await Promise.all(
  Array.from({ length: connections }, async () => {
    const client = new Client(url);
    await client.connect();
    return client;
  }),
);
process.send?.('ready');
await once(process, 'message');
const startedAt = performance.now();
let stored = 0;
await Promise.all(
  clients.map(async (client) => {
    while (performance.now() - startedAt < milliseconds) {
      await client.query('INSERT INTO bare (body) VALUES ($1)', [body]);
      stored += 1;
    }
  }),
);
process.send?.(stored, () => process.exit());
