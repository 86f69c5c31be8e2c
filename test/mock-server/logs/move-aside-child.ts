import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

// Opens a data file of an older format, and is killed where the second argument says.
const [, , file = '', moment] = process.argv;
const { renameSync } = fs;

if (moment !== 'never') {
  fs.renameSync = (from, to) => {
    if (moment === 'after') renameSync(from, to);
    process.kill(process.pid, 'SIGKILL');
  };
  syncBuiltinESMExports();
}

const { openSqliteLog } = await import('../../../mock-server/logs/sqlite.ts');
process.stdout.write('ready\n');
openSqliteLog(file);
