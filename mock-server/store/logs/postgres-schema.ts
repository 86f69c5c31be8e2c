import { LOG_FORMAT } from '../log.ts';
import { systemRandom, toUuid } from '../random.ts';
import type { StoredEntry, Writing } from './entry-sequence.ts';
import type { Connection, QueryRows } from './postgres-connection.ts';
import { foreignSchema, newerFormat, olderFormat, wrongEncoding } from './postgres-errors.ts';

/** The write lock and its transaction, with the entries that were read in the same query. */
export interface HeldLock {
  readonly connection: Connection;
  /** The state's id, which changes if the tables are deleted and created again. */
  readonly stateId: string;
  /** The first page of entries that this process has not read yet. */
  readonly unseen: readonly StoredEntry[];
}

/**
 * Maximum number of entries per query. An entry may have megabytes, so a long log may not fit into one
 * response.
 */
export const PAGE_ENTRIES = 100;

/**
 * The key of the advisory lock that serialises writers: "OfAg" in ASCII. Unlike a row lock, an advisory
 * lock writes nothing to a table.
 */
const WRITE_LOCK = 0x4f664167;

// The isolation level is set explicitly, because entries that were committed while this process waited for
// the lock must be visible.
const ACQUIRE_LOCK = `
  BEGIN ISOLATION LEVEL READ COMMITTED;
  SELECT pg_advisory_xact_lock(${WRITE_LOCK});`;

const READ_STATE = 'SELECT format, birth FROM ofage.state;';

/**
 * Creates the schema if it does not exist, and listens for notifications.
 * @throws LogError `newer_format`; `unreadable` if the state has an older format, if the schema belongs to
 *   another program, or if a new schema would be in a database that is not UTF-8.
 */
export async function ensureSchema(connection: Connection): Promise<void> {
  const [, , found = []] = await connection.query(`
    ${ACQUIRE_LOCK}
    SELECT to_regclass('ofage.state') IS NOT NULL,
      EXISTS (SELECT FROM pg_class WHERE relnamespace = to_regnamespace('ofage')),
      to_regnamespace('ofage') IS NOT NULL,
      getdatabaseencoding()`);
  const [hasState, hasTables, hasSchema, encoding] = found[0] ?? [];
  if (hasState === true) {
    const [state = []] = await connection.query(READ_STATE);
    parseStateId(state, connection.address);
  } else if (hasTables === true) {
    throw foreignSchema(connection.address);
  } else {
    // SQL_ASCII is accepted too, because it stores bytes unchanged.
    if (encoding !== 'UTF8' && encoding !== 'SQL_ASCII')
      throw wrongEncoding(String(encoding), connection.address);
    await makeTables(connection, hasSchema === true);
  }
  await connection.query('COMMIT; LISTEN ofage_entries');
}

async function makeTables(connection: Connection, hasSchema: boolean): Promise<void> {
  // IF NOT EXISTS would require the permission to create a schema, which this user may not have.
  await connection.query(`
    ${hasSchema ? '' : 'CREATE SCHEMA ofage;'}
    CREATE TABLE ofage.state (format integer NOT NULL, birth text NOT NULL);
    INSERT INTO ofage.state VALUES (${LOG_FORMAT}, '${toUuid(systemRandom)}');
    CREATE TABLE ofage.entries (seq bigint PRIMARY KEY, body text NOT NULL)`);
}

/** Waits for the write lock, then reads the entries after the last one that was read. */
export async function beginWrite(connection: Connection, lastSeq: number): Promise<HeldLock> {
  const [, , state = [], entries = []] = await connection.query(
    ACQUIRE_LOCK + READ_STATE + selectEntries(lastSeq),
  );
  return {
    connection,
    // Parsing also checks the format, because a newer version of ofage may have upgraded the state since the
    // last transaction.
    stateId: parseStateId(state, connection.address),
    unseen: entries.map(toStored),
  };
}

export async function readEntries(connection: Connection, lastSeq: number): Promise<StoredEntry[]> {
  const [entries = []] = await connection.query(selectEntries(lastSeq));
  return entries.map(toStored);
}

/** Stores the entries and commits the transaction. */
export async function endWrite(
  connection: Connection,
  writing: Writing | null,
  lastSeq: number,
): Promise<void> {
  if (!writing) {
    await connection.query('COMMIT');
    return;
  }
  if (writing.isSnapshot) await deleteEntries(connection);
  let last = lastSeq;
  for (const { seq, body } of writing.entries) {
    last = seq;
    await connection.query('INSERT INTO ofage.entries (seq, body) VALUES ($1, $2)', [seq, body]);
  }
  // Listeners are notified when the transaction is committed, and only then.
  await connection.query(`NOTIFY ofage_entries, '${last}'; COMMIT`);
}

/**
 * Deletes all entries. TRUNCATE also removes their bytes, because it replaces the table's file. After a
 * DELETE they stay there until a vacuum, but a user who does not own the table may be allowed only that.
 */
async function deleteEntries(connection: Connection): Promise<void> {
  const [rows = []] = await connection.query(
    "SELECT has_table_privilege('ofage.entries', 'TRUNCATE')",
  );
  const mayTruncate = rows[0]?.[0] === true;
  await connection.query(mayTruncate ? 'TRUNCATE ofage.entries' : 'DELETE FROM ofage.entries');
}

function selectEntries(lastSeq: number): string {
  return `SELECT seq, body FROM ofage.entries WHERE seq > ${lastSeq} ORDER BY seq LIMIT ${PAGE_ENTRIES}`;
}

// pg returns a bigint as text.
function toStored([seq, body]: QueryRows[number]): StoredEntry {
  return { seq: Number(seq), body: String(body) };
}

function parseStateId([row]: QueryRows, address: string): string {
  if (!row) throw foreignSchema(address);
  const [format, birth] = row;
  if (Number(format) > LOG_FORMAT) throw newerFormat(Number(format), address);
  if (Number(format) < LOG_FORMAT) throw olderFormat(Number(format), address);
  return String(birth);
}
