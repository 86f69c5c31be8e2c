import type { Log } from '../core/log.ts';
import { openPostgresLog } from '../logs/postgres.ts';
import { openSqliteLog } from '../logs/sqlite.ts';

/** Tells whether `data` is a database URL and not a file. Several servers can share a database. */
export function isDatabaseUrl(data: string): boolean {
  return /^postgres(ql)?:\/\//i.test(data);
}

/**
 * Opens the file or database that stores the state.
 * @param onForeignEntry Called soon after another server has written to the database.
 * @throws LogError with a message that says how to fix the problem
 */
export async function openData(data: string, onForeignEntry: () => void): Promise<Log> {
  return isDatabaseUrl(data) ? openPostgresLog(data, { onForeignEntry }) : openSqliteLog(data);
}

/** Returns the storage location for display, without the password and the parameters of a database URL. */
export function toPublicData(data: string): string {
  if (!isDatabaseUrl(data)) return data;
  // The last @ before the path ends the password, as the URL standard says.
  return data.replace(/[?#].*$/s, '').replace(/^(\w+:\/\/[^:@/]*)[^/]*@/, '$1@');
}
