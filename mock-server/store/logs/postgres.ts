import type { Batch, Log } from '../log.ts';
import { createEntrySequence, type StoredEntry } from './entry-sequence.ts';
import {
  type Connection,
  ConnectionLost,
  connectPostgres,
  createNotifications,
} from './postgres-connection.ts';
import { damagedEntry, toCommitError, toOpenError } from './postgres-errors.ts';
import * as schema from './postgres-schema.ts';

export interface PostgresLogOptions {
  /**
   * Called soon after another process has written entries that this process has not read. Any transaction
   * reads them, even one that does nothing.
   */
  onForeignEntry?: () => void;
}

/**
 * Opens a log that keeps the state in a PostgreSQL database, in the schema `ofage`, for any number of
 * processes.
 *
 * @param url `postgres://user:password@host:port/database`, with the parameters that pg knows. Missing
 *   parts are read from `PGHOST`, `PGPASSWORD` and the other standard variables.
 * @throws LogError `unreadable` (pg is not installed, the server or database does not exist, no permission,
 *   another program's schema, a state in an older format), `newer_format`, `locked` (another process holds
 *   the write lock). Its message says how to fix the problem.
 */
export async function openPostgresLog(url: string, options: PostgresLogOptions = {}): Promise<Log> {
  const sequence = createEntrySequence();
  const notifications = createNotifications(
    () => sequence.lastSeq,
    options.onForeignEntry ?? (() => {}),
  );
  const connection = keepConnected(url, notifications.receive);
  let stateId: string | undefined;

  /** Reads the entries that this process has not read yet, page by page. */
  async function readUnseen(batch: Batch, start: schema.HeldLock): Promise<void> {
    let { unseen } = start;
    if (stateId !== undefined && stateId !== start.stateId) {
      // The tables were deleted and created again, so the state in memory is obsolete.
      sequence.forget(batch);
      unseen = await schema.readEntries(start.connection, 0);
    }
    stateId = start.stateId;
    while (unseen.length > 0) {
      for (const entry of unseen) read(batch, entry);
      unseen =
        unseen.length < schema.PAGE_ENTRIES
          ? []
          : await schema.readEntries(start.connection, sequence.lastSeq);
    }
  }

  function read(batch: Batch, entry: StoredEntry): void {
    try {
      sequence.read(batch, entry);
    } catch (error) {
      throw damagedEntry(entry.seq, address, error);
    }
  }

  const { address } = await connection.open();
  return {
    isShared: true,
    get hasErased() {
      return sequence.hasErased;
    },
    async commit(batch) {
      try {
        const start = await connection.beginWrite(sequence.lastSeq);
        await readUnseen(batch, start);
        const writing = sequence.run(batch);
        await schema.endWrite(start.connection, writing, sequence.lastSeq);
        if (writing) writing.stored();
      } catch (error) {
        // Closing the connection rolls back the transaction and releases the write lock.
        await connection.drop();
        throw toCommitError(error, address, error instanceof ConnectionLost);
      }
    },
    async close() {
      notifications.close();
      await connection.drop();
    },
  };
}

/** One connection, which is replaced when it is lost. */
interface KeptConnection {
  open(): Promise<Connection>;
  beginWrite(lastSeq: number): Promise<schema.HeldLock>;
  drop(): Promise<void>;
}

/** Creates a kept connection. One is enough, because a process runs one commit at a time. */
function keepConnected(
  url: string,
  onNotification: Parameters<typeof connectPostgres>[1],
): KeptConnection {
  let connection: Connection | null = null;

  async function open(): Promise<Connection> {
    const opened = await connectPostgres(url, onNotification);
    try {
      await schema.ensureSchema(opened);
      connection = opened;
      return opened;
    } catch (error) {
      await opened.close();
      throw toOpenError(error, opened.address);
    }
  }

  async function drop(): Promise<void> {
    const dropped = connection;
    connection = null;
    await dropped?.close();
  }

  return {
    open,
    async beginWrite(lastSeq) {
      try {
        if (connection) return await schema.beginWrite(connection, lastSeq);
      } catch (error) {
        if (!(error instanceof ConnectionLost)) throw error;
        // Nothing was written before the connection was lost, so it is safe to retry on another one.
        await drop();
      }
      return schema.beginWrite(await open(), lastSeq);
    },
    drop,
  };
}
