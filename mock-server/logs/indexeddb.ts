import { deleteDB, openDB, type DBSchema, type IDBPDatabase } from 'idb';
import { LOG_FORMAT, LogError, type Log, type Batch } from '../core/log.ts';
import { systemRandom, toUuid } from '../core/random.ts';
import { createJournal, type Journal, type Row } from './journal.ts';
import { reasonOf } from '../core/reason-of.ts';

/** Options of `createIndexedDbLog`. */
export interface IndexedDbLogOptions {
  /**
   * The database's name. Every tab of the origin that uses the same name shares one state.
   * @default "ofage-mock"
   */
  name?: string;
  /** Called when another tab has written, so that a page can refresh its view. */
  onForeignEntry?: () => void;
}

interface Schema extends DBSchema {
  entries: { key: number; value: Row };
  meta: { key: string; value: string };
}

type Database = IDBPDatabase<Schema>;

/** Time to wait for the connections of other tabs to close before an upgrade or a deletion fails. */
const BLOCKED_MS = 3_000;

/**
 * Creates a log that keeps the state in IndexedDB, which all tabs of the origin share. Readwrite
 * transactions exclude each other across tabs. State in another format is discarded, because it is only
 * test data. The database is opened by the first commit.
 */
export function createIndexedDbLog(options: IndexedDbLogOptions = {}): Log {
  const { name = 'ofage-mock', onForeignEntry } = options;
  const journal = createJournal();
  const entryChannel = openEntryChannel(name, onForeignEntry);
  let connection: Promise<Database> | null = null;
  let stateId: string | undefined;
  let isReplaced = false;
  let isOutdated = false;

  async function connect(): Promise<Database> {
    const db = await open(name, {
      onClosed(isOutdatedNow) {
        connection = null;
        isOutdated = isOutdatedNow;
      },
    });
    // While the connection was closed, another tab may have deleted the state and started a new one.
    const found = await db.get('meta', 'birth');
    isReplaced = stateId !== undefined && stateId !== found;
    stateId = found;
    return db;
  }

  /** Starts a transaction. Retries once if the browser has closed the connection. */
  async function begin(): Promise<ReturnType<typeof beginIn>> {
    if (isOutdated) throw outdated();
    connection ??= connect();
    try {
      return beginIn(await connection);
    } catch (error) {
      connection = null;
      if (!isNamed(error, 'InvalidStateError')) throw error;
      return beginIn(await (connection = connect()));
    }
  }

  return {
    async commit(batch) {
      const tx = await begin();
      if (isReplaced) journal.forget(batch);
      isReplaced = false;
      if (await commitIn(tx, journal, batch)) entryChannel.notify();
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
  journal: Journal,
  batch: Batch,
): Promise<boolean> {
  try {
    const unseen = await tx.store.getAll(IDBKeyRange.lowerBound(journal.lastSeq, true));
    for (const row of unseen) journal.read(batch, row);
    // Awaits only requests of this transaction, because IndexedDB commits a transaction that is idle.
    const writing = journal.run(batch);
    for (const row of writing?.rows ?? []) tx.store.put(row).catch(reportedByDone);
    if (writing?.isSnapshot) {
      tx.store.delete(IDBKeyRange.upperBound(journal.lastSeq)).catch(reportedByDone);
    }
    await tx.done;
    if (writing) journal.stored(writing);
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

/** Aborts a transaction unless it has ended, because otherwise the rows put so far would be committed. */
function abort(tx: ReturnType<typeof beginIn>): void {
  tx.done.catch(reportedByDone);
  try {
    tx.abort();
  } catch {
    // The transaction had already ended with the failure.
  }
}

interface OpenHooks {
  /**
   * Called when the connection was closed, because another tab upgrades or deletes the database or because
   * it broke.
   */
  onClosed(isOutdated: boolean): void;
}

async function open(name: string, hooks: OpenHooks): Promise<Database> {
  try {
    return await openFormat(name, hooks);
  } catch (error) {
    if (!isNamed(error, 'VersionError')) throw toOpenError(error);
  }
  // A newer version of this page wrote the database. The version that is running now discards it.
  try {
    await withTimeLimit((blocked) => deleteDB(name, { blocked }));
    return await openFormat(name, hooks);
  } catch (error) {
    throw toOpenError(error);
  }
}

function openFormat(name: string, { onClosed }: OpenHooks): Promise<Database> {
  return withTimeLimit(
    (blocked) =>
      openDB<Schema>(name, LOG_FORMAT, {
        upgrade(db) {
          for (const old of db.objectStoreNames) db.deleteObjectStore(old);
          db.createObjectStore('entries', { keyPath: 'seq' });
          void db.createObjectStore('meta').put(toUuid(systemRandom), 'birth');
        },
        blocked,
        blocking(ours, theirs, event) {
          (event.target as IDBDatabase).close();
          onClosed(theirs !== null && theirs > ours);
        },
        terminated: () => onClosed(false),
      }),
    (late) => late.close(),
  );
}

/**
 * Waits for other tabs to close their connections, with a time limit. `blocked` alone is not an error,
 * because the browser also calls it while another tab finishes a transaction.
 */
function withTimeLimit<T>(
  start: (blocked: () => void) => Promise<T>,
  onLate: (value: T) => void = () => {},
): Promise<T> {
  return new Promise((resolve, reject) => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isLate = false;
    const done = start(() => {
      timer = setTimeout(() => {
        isLate = true;
        reject(blocked());
      }, BLOCKED_MS);
    });
    done
      .then((value) => (isLate ? onLate(value) : resolve(value)), reject)
      .finally(() => clearTimeout(timer));
  });
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

function blocked(): LogError {
  return new LogError(
    'locked',
    'Cannot open the state in this browser: another tab uses an older version of it; close that tab and reload this one',
  );
}

function outdated(): LogError {
  return new LogError(
    'newer_format',
    'Cannot use the state in this browser: a newer version of this page has upgraded it; reload this page',
  );
}

function toOpenError(error: unknown): LogError {
  if (error instanceof LogError) return error;
  return new LogError(
    'unreadable',
    `Cannot open the state in this browser: ${reasonOf(error)}; allow this site to store data`,
    { cause: error },
  );
}

function isNamed(error: unknown, name: string): boolean {
  return error instanceof Error && error.name === name;
}
