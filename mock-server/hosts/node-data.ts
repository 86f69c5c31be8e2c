import type { Log } from '../core/log.ts';
import { openPostgresLog } from '../logs/postgres.ts';
import { openSqliteLog } from '../logs/sqlite.ts';

/** Tells whether `data` is the URL of a database, which several servers can share, and not a file. */
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

/** Returns the storage location for display, without the password and the parameters of a database URL. */
export function toPublicData(data: string): string {
  if (!isDatabaseUrl(data)) return data;
  // The last @ before the path ends the password, as in every URL.
  return data.replace(/[?#].*$/s, '').replace(/^(\w+:\/\/[^:@/]*)[^/]*@/, '$1@');
}
