// Run by postgres.test.ts: takes the turn, stands still for that many milliseconds as if it were stopped,
// then wants to store something. Says when it has the turn, and how it ended.
import { writeSync } from 'node:fs';
import { openPostgresLog } from '../../../mock-server/logs/postgres.ts';

const [url = '', ms = ''] = process.argv.slice(2);
const log = await openPostgresLog(url);
try {
  await log.commit({
    apply() {},
    run() {
      writeSync(1, 'has the turn\n');
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, Number(ms));
      return { changes: [['settings', 'late', { id: 'late', value: 'x' }]] };
    },
    snapshot: () => ({ changes: [] }),
  });
  writeSync(1, 'stored\n');
} catch (error) {
  writeSync(1, `${(error as { code?: string }).code}\n`);
}
await log.close();
