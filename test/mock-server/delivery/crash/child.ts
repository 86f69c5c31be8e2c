// crash.test.ts runs this program: a service on a SQLite file that kills itself at a named point.
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import type { Entry, Log, Batch } from '../../../../mock-server/store/log.ts';
import type { Rows } from '../../../../mock-server/store/tables.ts';
import { createNodeSender, type Dial } from '../../../../mock-server/send/node-sender.ts';
import type { Sender } from '../../../../mock-server/send/sender.ts';
import { openSqliteLog } from '../../../../mock-server/store/logs/sqlite.ts';
import { createMockService } from '../../../../mock-server/service/service.ts';

export interface ChildTask {
  readonly file: string;
  /** The path of a file with the certificate authority's certificate. */
  readonly ca: string;
  readonly port: number;
  /** The point at which the process kills itself, or null for never. */
  readonly phase: string | null;
  /** The process kills itself when it reaches that point for the nth time. */
  readonly nth: number;
  readonly events: number;
  /** Time by which the clock moves after all events were created, in milliseconds. */
  readonly advanceMs: number;
}

/** The lines on standard output. An `event` line is written once the event is durable. */
export type ChildSays =
  | { kind: 'event'; sessionId: string }
  | { kind: 'end'; deliveries: unknown; emails: number; notices: number; paused: boolean };

const PUBLIC = '93.184.216.34';
const task = JSON.parse(process.argv[2] ?? '{}') as ChildTask;
let reached = 0;

function reach(phase: string): void {
  if (phase !== task.phase) return;
  reached += 1;
  if (reached === task.nth) process.kill(process.pid, 'SIGKILL');
}

const has = (entry: Entry, isWanted: (table: string, row: object) => boolean): boolean =>
  entry.changes.some(([table, , row]) => row !== null && isWanted(table, row));
const POINTS: Record<string, (entry: Entry) => boolean> = {
  c0: (entry) => has(entry, (table) => table === 'events'),
  c4: (entry) =>
    has(entry, (table, row) => {
      const attempt = row as Rows['attempts'];
      return table === 'attempts' && attempt.finishedAtMs !== null && attempt.outcome !== 'lost';
    }),
  c5: (entry) => has(entry, (table) => table === 'notices'),
};

/**
 * Wraps a log so that the process can die just before an entry is durable (such as `c4_before`) or just
 * after (such as `c4`).
 */
function withKills(log: Log): Log {
  return {
    async commit(batch) {
      let made: Entry | null = null;
      const deadly: Batch = {
        apply: (entry) => batch.apply(entry),
        snapshot: () => batch.snapshot(),
        run() {
          made = batch.run();
          for (const [name, isHere] of Object.entries(POINTS))
            if (made && isHere(made)) reach(`${name}_before`);
          return made;
        },
      };
      await log.commit(deadly);
      const durable = made as Entry | null;
      for (const [name, isHere] of Object.entries(POINTS))
        if (durable && isHere(durable)) reach(name);
    },
    close: () => log.close(),
  };
}

const dial: Dial = (_address, _port, signal) =>
  new Promise((resolve, reject) => {
    reach('c2');
    const socket = connect({ host: '127.0.0.1', port: task.port, signal });
    socket.once('error', reject);
    socket.once('connect', () => resolve({ socket, address: PUBLIC }));
  });
const inner = createNodeSender({
  resolve: async () => [PUBLIC],
  dial,
  ca: readFileSync(task.ca, 'utf8'),
});
const sender: Sender = {
  async send(request) {
    reach('c1');
    const result = await inner.send(request);
    reach('c3');
    return result;
  },
};

function say(words: ChildSays): void {
  process.stdout.write(`${JSON.stringify(words)}\n`);
}

const service = createMockService({
  log: withKills(openSqliteLog(task.file)),
  pollMs: 0,
  clock: { now: Date.UTC(2026, 0, 1), frozen: true },
  resolve: async () => [PUBLIC],
  sender,
  endpoints: [
    { url: 'https://shop.example/hook', secret: 'a secret', events: ['verification.completed'] },
  ],
});
const { tenantId } = await service.ready;
for (let n = 0; n < task.events; n += 1) {
  const { id } = await service.control.trigger({ name: 'verified' });
  say({ kind: 'event', sessionId: id });
}
await service.clock.advance(task.advanceMs);
const [endpoint] = await service.control.endpoints(tenantId);
say({
  kind: 'end',
  deliveries: await service.control.deliveries(),
  emails: (await service.control.emails()).length,
  notices: (await service.control.notices()).length,
  paused: endpoint?.health.pausedAt !== null,
});
await service.close();
