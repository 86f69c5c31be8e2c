// postgres.test.ts runs this program. It takes the lock, blocks for the given number of milliseconds as if
// it were stopped, and then tries to store a change. It prints when it has the lock and how the commit
// ended.
import { writeSync } from 'node:fs';
import { openPostgresLog } from '../../../../mock-server/store/logs/postgres.ts';

const [url = '', ms = ''] = process.argv.slice(2);
const log = await openPostgresLog(url);
try {
  await log.commit({
    apply() {},
    run() {
      writeSync(1, 'holds the lock\n');
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, Number(ms));
      return { changes: [['settings', 'late', { id: 'late', value: 'x' }]] };
    },
    snapshot: () => [],
    rowCount: () => 1,
    mustErase: false,
  });
  writeSync(1, 'stored\n');
} catch (error) {
  writeSync(1, `${(error as { code?: string }).code}\n`);
}
await log.close();
