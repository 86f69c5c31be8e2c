import type { Log } from '../store/log.ts';
import { openPostgresLog } from '../store/logs/postgres.ts';
import { openSqliteLog } from '../store/logs/sqlite.ts';

/** Tells whether `data` is a database URL and not a file. Several servers can share a database. */
export function isDatabaseUrl(data: string): boolean {
  return /^postgres(ql)?:\/\//i.test(data);
}

export interface DataOptions {
  /** Called soon after another server has written to the database. */
  onForeignEntry(): void;
  /** Called with a sentence if the file was moved aside, or was deleted while it is open. */
  onWarning(warning: string): void;
}

/**
 * Opens the file or database that stores the state.
 * @throws LogError with a message that says how to fix the problem
 */
export async function openData(data: string, options: DataOptions): Promise<Log> {
  const { onForeignEntry, onWarning } = options;
  if (isDatabaseUrl(data)) return openPostgresLog(data, { onForeignEntry });
  return openSqliteLog(data, {
    onMoved: (movedTo) =>
      onWarning(
        `The data file "${data}" has an older format. It was moved to "${movedTo}", and the mock starts with an empty state`,
      ),
    onLost: () =>
      onWarning(
        `The data file "${data}" was deleted or replaced, so the state is lost when the mock stops; save it first with: ofage-mock snapshot FILE --with-secrets`,
      ),
  });
}

/** Returns the storage location for display, without the password and the parameters of a database URL. */
export function toPublicData(data: string): string {
  if (!isDatabaseUrl(data)) return data;
  // The last @ before the path ends the password, as the URL standard says.
  return data.replace(/[?#].*$/s, '').replace(/^(\w+:\/\/[^:@/]*)[^/]*@/, '$1@');
}
