import { LOG_FORMAT } from '../core/log.ts';
import { systemRandom, toUuid } from '../core/random.ts';
import type { Row, Writing } from './journal.ts';
import type { Connection, Rows } from './postgres-connection.ts';
import { foreignSchema, newerFormat, wrongEncoding } from './postgres-errors.ts';

/** A turn, which lasts as long as its transaction, and what was read in the same breath. */
export interface Taken {
  readonly connection: Connection;
  /** Names this state among those that were ever in this database. */
  readonly birth: string;
  /** The first entries that had not been seen. */
  readonly unseen: readonly Row[];
}

/**
 * Number of entries per query. A long log need not fit into one response, because an entry may have
 * megabytes.
 */
export const PAGE_ENTRIES = 100;

/** "OfAg". Who holds this number holds the turn; unlike a row's lock it leaves nothing to clean up. */
const TURN_LOCK = 0x4f664167;

// Read committed, whatever the server's default is: what others committed while we waited must be seen.
const TAKE_TURN = `
  BEGIN ISOLATION LEVEL READ COMMITTED;
  SELECT pg_advisory_xact_lock(${TURN_LOCK});`;

const READ_STATE = 'SELECT format, birth FROM ofage.state;';

/**
 * Makes our schema where there is none, and listens for news.
 * @throws LogError `newer_format`; `unreadable` when the schema is another program's.
 */
export async function ensureSchema(connection: Connection): Promise<void> {
  const [, , found = []] = await connection.query(`
    ${TAKE_TURN}
    SELECT to_regclass('ofage.state') IS NOT NULL,
      EXISTS (SELECT FROM pg_class WHERE relnamespace = to_regnamespace('ofage')),
      to_regnamespace('ofage') IS NOT NULL,
      getdatabaseencoding()`);
  const [hasState, hasTables, hasSchema, encoding] = found[0] ?? [];
  if (hasState === true) {
    const [state = []] = await connection.query(READ_STATE);
    parseBirth(state, connection.address);
  } else if (hasTables === true) {
    throw foreignSchema(connection.address);
  } else {
    // SQL_ASCII keeps the bytes that it is given.
    if (encoding !== 'UTF8' && encoding !== 'SQL_ASCII')
      throw wrongEncoding(String(encoding), connection.address);
    await makeTables(connection, hasSchema === true);
  }
  await connection.query('COMMIT; LISTEN ofage_entries');
}

async function makeTables(connection: Connection, hasSchema: boolean): Promise<void> {
  // IF NOT EXISTS asks for the permission to make it, which this user may not need.
  await connection.query(`
    ${hasSchema ? '' : 'CREATE SCHEMA ofage;'}
    CREATE TABLE ofage.state (format integer NOT NULL, birth text NOT NULL);
    INSERT INTO ofage.state VALUES (${LOG_FORMAT}, '${toUuid(systemRandom)}');
    CREATE TABLE ofage.entries (seq bigint PRIMARY KEY, body text NOT NULL)`);
}

/** Waits for the turn, and reads on from the last entry that has been seen. */
export async function takeTurn(connection: Connection, seen: number): Promise<Taken> {
  const [, , state = [], entries = []] = await connection.query(
    TAKE_TURN + READ_STATE + selectEntries(seen),
  );
  return {
    connection,
    // Looked at in every turn: a newer version may have taken the state over since.
    birth: parseBirth(state, connection.address),
    unseen: entries.map(toRow),
  };
}

export async function readEntries(connection: Connection, seen: number): Promise<Row[]> {
  const [entries = []] = await connection.query(selectEntries(seen));
  return entries.map(toRow);
}

/** Stores the rows and ends the transaction. */
export async function endTurn(
  connection: Connection,
  writing: Writing | null,
  seen: number,
): Promise<void> {
  if (!writing) {
    await connection.query('COMMIT');
    return;
  }
  for (const { seq, body } of writing.rows) {
    await connection.query('INSERT INTO ofage.entries (seq, body) VALUES ($1, $2)', [seq, body]);
  }
  const last = seen + writing.rows.length;
  // Listeners are told when, and only if, the transaction is committed.
  await connection.query(`
    ${writing.isSnapshot ? `DELETE FROM ofage.entries WHERE seq <= ${seen};` : ''}
    NOTIFY ofage_entries, '${last}';
    COMMIT`);
}

function selectEntries(seen: number): string {
  return `SELECT seq, body FROM ofage.entries WHERE seq > ${seen} ORDER BY seq LIMIT ${PAGE_ENTRIES}`;
}

// A bigint comes as text.
function toRow([seq, body]: Rows[number]): Row {
  return { seq: Number(seq), body: String(body) };
}

function parseBirth([row]: Rows, address: string): string {
  if (!row) throw foreignSchema(address);
  const [format, birth] = row;
  if (Number(format) > LOG_FORMAT) throw newerFormat(Number(format), address);
  return String(birth);
}
