import type { Log } from '../core/log.ts';
import { openPostgresLog } from '../logs/postgres.ts';
import { openSqliteLog } from '../logs/sqlite.ts';

/** Whether state is to be kept in a database that several servers may share, rather than in a file. */
export function isDatabaseUrl(data: string): boolean {
  return /^postgres(ql)?:\/\//i.test(data);
}

/**
 * Opens the file or the database that state is kept in.
 * @param onForeignEntry Called soon after another server has written to the database.
 * @throws LogError with a sentence that says how to go on
 */
export async function openData(data: string, onForeignEntry: () => void): Promise<Log> {
  return isDatabaseUrl(data) ? openPostgresLog(data, { onForeignEntry }) : openSqliteLog(data);
}

/** Where state is kept, for people to read: without the password and the parameters of a database's URL. */
export function toPublicData(data: string): string {
  if (!isDatabaseUrl(data)) return data;
  // The last @ before the path ends the password, as in every URL.
  return data.replace(/[?#].*$/s, '').replace(/^(\w+:\/\/[^:@/]*)[^/]*@/, '$1@');
}
