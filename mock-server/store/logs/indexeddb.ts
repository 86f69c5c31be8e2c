import { openDB, type DBSchema, type IDBPDatabase } from 'idb';
import { reasonOf } from '../errors.ts';
import { type Batch, type Log, LOG_FORMAT, LogError } from '../log.ts';
import { systemRandom, toUuid } from '../random.ts';
import { createEntrySequence, type EntrySequence, type StoredEntry } from './entry-sequence.ts';

/** Options of `createIndexedDbLog`. */
export interface IndexedDbLogOptions {
  /**
   * The state's name. Every tab of the origin that uses the same name shares one state. The database's name
   * also contains the format, for example `ofage-mock (format 5)`.
   * @default "ofage-mock"
   */
  name?: string;
  /** Called when another tab has written, so that a page can refresh its view. */
  onForeignEntry?: () => void;
}

interface Schema extends DBSchema {
  entries: { key: number; value: StoredEntry };
  meta: { key: string; value: string };
}

type Database = IDBPDatabase<Schema>;

/**
 * Creates a log that keeps the state in IndexedDB, which all tabs of the origin share. Readwrite
 * transactions exclude each other across tabs. Each format has its own database, so that tabs with an older
 * and a newer version of the page do not disturb each other. The database is opened by the first commit.
 */
export function createIndexedDbLog(options: IndexedDbLogOptions = {}): Log {
  const { onForeignEntry } = options;
  const name = `${options.name ?? 'ofage-mock'} (format ${LOG_FORMAT})`;
  const sequence = createEntrySequence();
  const entryChannel = openEntryChannel(name, onForeignEntry);
  let connection: Promise<Database> | null = null;
  let stateId: string | undefined;
  let isReplaced = false;

  async function connect(): Promise<Database> {
    const db = await open(name, () => (connection = null));
    // While the connection was closed, another tab may have deleted the state and started a new one.
    const found = await db.get('meta', 'birth');
    if (stateId !== undefined && stateId !== found) isReplaced = true;
    stateId = found;
    return db;
  }

  /** Starts a transaction. Retries once if the browser has closed the connection. */
  async function begin(): Promise<ReturnType<typeof beginIn>> {
    connection ??= connect();
    try {
      return beginIn(await connection);
    } catch (error) {
      connection = null;
      if (!isNamed(error, 'InvalidStateError')) throw error;
      connection = connect();
      return beginIn(await connection);
    }
  }

  return {
    isShared: true,
    get hasErased() {
      return sequence.hasErased;
    },
    async commit(batch) {
      const tx = await begin();
      if (isReplaced) sequence.forget(batch);
      isReplaced = false;
      if (await commitIn(tx, sequence, batch)) entryChannel.notify();
    },
    async close() {
      entryChannel.close();
      (await connection?.catch(() => null))?.close();
    },
  };
}

function beginIn(db: Database) {
  return db.transaction('entries', 'readwrite', { durability: 'relaxed' });
}

/**
 * Reads and stores in one transaction, which excludes other writers. Resolves to true if something was
 * stored.
 */
async function commitIn(
  tx: ReturnType<typeof beginIn>,
  sequence: EntrySequence,
  batch: Batch,
): Promise<boolean> {
  try {
    const unseen = await tx.store.getAll(IDBKeyRange.lowerBound(sequence.lastSeq, true));
    for (const entry of unseen) sequence.read(batch, entry);
    // Awaits only requests of this transaction, because IndexedDB commits a transaction that is idle.
    const writing = sequence.run(batch);
    for (const entry of writing?.entries ?? []) tx.store.put(entry).catch(reportedByDone);
    if (writing?.isSnapshot) {
      tx.store.delete(IDBKeyRange.upperBound(sequence.lastSeq)).catch(reportedByDone);
    }
    await tx.done;
    if (writing) writing.stored();
    return writing !== null;
  } catch (error) {
    abort(tx);
    throw new LogError(
      'append_failed',
      `Cannot write to the browser's database: ${reasonOf(error)}; the change was not made`,
      { cause: error },
    );
  }
}

/** Ignores the error of a request, because it aborts the transaction, whose `done` reports it. */
function reportedByDone(): void {}

/** Aborts a transaction unless it has ended, because otherwise the entries put so far would be committed. */
function abort(tx: ReturnType<typeof beginIn>): void {
  tx.done.catch(reportedByDone);
  try {
    tx.abort();
  } catch {
    // The transaction had already ended with the failure.
  }
}

/**
 * Opens or creates the database.
 * @param onClosed Called when the connection was closed, because another tab deletes the database or because
 *   it broke.
 */
async function open(name: string, onClosed: () => void): Promise<Database> {
  try {
    return await openDB<Schema>(name, 1, {
      upgrade(db) {
        db.createObjectStore('entries', { keyPath: 'seq' });
        void db.createObjectStore('meta').put(toUuid(systemRandom), 'birth');
      },
      blocking(_ours, _theirs, event) {
        (event.target as IDBDatabase).close();
        onClosed();
      },
      terminated: onClosed,
    });
  } catch (error) {
    throw new LogError(
      'unreadable',
      `Cannot open the state in this browser: ${reasonOf(error)}; allow this site to store data`,
      { cause: error },
    );
  }
}

interface EntryChannel {
  /** Notifies the other tabs of a new entry. */
  notify(): void;
  close(): void;
}

function openEntryChannel(name: string, onForeignEntry: (() => void) | undefined): EntryChannel {
  const channel = new BroadcastChannel(name);
  if (onForeignEntry) channel.addEventListener('message', () => onForeignEntry());
  // In Node, where tests run, an open channel would keep the process alive.
  (channel as { unref?: () => void }).unref?.();
  return {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no target
    notify: () => channel.postMessage(null),
    close: () => channel.close(),
  };
}

function isNamed(error: unknown, name: string): boolean {
  return error instanceof Error && error.name === name;
}
