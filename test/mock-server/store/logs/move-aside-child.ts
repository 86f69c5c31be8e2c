import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

// Opens a data file of an older format, and is killed before or after it renames the file.
const [, , file = '', moment] = process.argv;
const { renameSync } = fs;

fs.renameSync = (from, to) => {
  if (moment === 'after') renameSync(from, to);
  process.kill(process.pid, 'SIGKILL');
};
syncBuiltinESMExports();

const { openSqliteLog } = await import('../../../../mock-server/store/logs/sqlite.ts');
openSqliteLog(file);
