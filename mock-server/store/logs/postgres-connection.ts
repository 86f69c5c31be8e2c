import type { Client, ClientConfig, QueryArrayResult } from 'pg';
import { reasonOf } from '../errors.ts';
import { badUrl, driverMissing, toOpenError } from './postgres-errors.ts';

/** The rows of one statement, as arrays of columns. Their values are not checked yet. */
export type QueryRows = readonly (readonly unknown[])[];

/** A connection to PostgreSQL that only one log uses. It does not come from a pool. */
export interface Connection {
  /** The server's address, without the password. */
  readonly address: string;
  /**
   * Runs one statement or, if `values` is omitted, several statements separated by semicolons.
   * @returns the rows of each statement
   * @throws ConnectionLost if it is unknown whether the statements took effect; otherwise the server's
   *   error
   */
  query(statements: string, values?: readonly unknown[]): Promise<QueryRows[]>;
  /** Closes the connection. The server rolls back an open transaction. Never rejects. */
  close(): Promise<void>;
}

/** The error of a connection that broke or that the server ended. */
export class ConnectionLost extends Error {
  constructor(cause: unknown) {
    super(reasonOf(cause), { cause });
    this.name = 'ConnectionLost';
  }
}

const SETTINGS = {
  fallback_application_name: 'ofage-mock',
  connectionTimeoutMillis: 10_000,
  keepAlive: true,
  // A process that hangs in a transaction must not block all others, so the server ends its session and
  // releases the write lock. The limits are ordered: this happens before waiting processes give up on the
  // lock, and before a query times out.
  idle_in_transaction_session_timeout: 20_000,
  lock_timeout: 30_000,
  query_timeout: 60_000,
} as const satisfies ClientConfig;

/** Time to wait for a silent server when the connection is closed. */
const CLOSE_TIMEOUT_MS = 1_000;

/** @throws LogError `unreadable`, whose message says how to fix the problem. */
export async function connectPostgres(
  url: string,
  onNotification: (payload: string) => void,
): Promise<Connection> {
  const client = await createClient(url);
  const connection = toConnection(client);
  // A lost connection is reported by the next query. If there were no listener, the end of an idle
  // connection would be an uncaught exception.
  client.on('error', () => {});
  client.on('notification', ({ payload = '' }) => onNotification(payload));
  try {
    await client.connect();
    return connection;
  } catch (error) {
    await connection.close();
    throw toOpenError(error, connection.address);
  }
}

async function createClient(url: string): Promise<Client> {
  const { default: pg } = await import('pg').catch((error: unknown) => {
    throw driverMissing(error);
  });
  try {
    return new pg.Client({ ...SETTINGS, connectionString: url });
  } catch (error) {
    throw badUrl(error);
  }
}

function toConnection(client: Client): Connection {
  return {
    address: toAddress(client),
    async query(text, values) {
      try {
        const query = { text, rowMode: 'array', ...(values && { values: [...values] }) } as const;
        // Several statements have several results, which pg's types do not express.
        const result: QueryArrayResult<unknown[]> | QueryArrayResult<unknown[]>[] =
          await client.query<unknown[]>(query);
        return (Array.isArray(result) ? result : [result]).map(({ rows }) => rows);
      } catch (error) {
        throw isServerError(error) ? error : new ConnectionLost(error);
      }
    },
    async close() {
      const timer = setTimeout(() => client.connection.stream.destroy(), CLOSE_TIMEOUT_MS);
      await client.end().catch(() => {});
      clearTimeout(timer);
    },
  };
}

function toAddress({ user, host, port, database }: Client): string {
  const isSocket = host.startsWith('/');
  const name = host.includes(':') ? `[${host}]` : host;
  // The user and the database are undefined if neither the URL nor the environment sets them.
  const who = user === undefined ? '' : `${user}@`;
  const path = database === undefined ? '/' : `/${database}`;
  return isSocket
    ? `postgres://${who}${path}?host=${host}`
    : `postgres://${who}${name}:${port}${path}`;
}

/** Tells whether the server refused the statement and keeps the connection open. */
function isServerError(error: unknown): boolean {
  if (!(error instanceof Error) || !('severity' in error)) return false;
  // Excludes the errors that end the connection: classes 08 and 57P, and 25P03 (the session was idle in a
  // transaction).
  return !/^(08|57P|25P03)/.test(String((error as { code?: unknown }).code));
}

/** A receiver of the database's notifications of new entries. */
export interface Notifications {
  /** Handles a notification, which contains the number of the last written entry. */
  receive(payload: string): void;
  close(): void;
}

/**
 * Delay before a notification is handled. Under load, the next commit often reads the entries within this
 * delay, which saves an extra read.
 */
const DELAY_MS = 20;

/**
 * Creates a receiver that calls `notify` after a delay, unless the notified entries have been read by then.
 * A process has always read its own entries, so their notifications are ignored.
 */
export function createNotifications(lastSeq: () => number, notify: () => void): Notifications {
  let last = 0;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  return {
    receive(payload) {
      // The connection may still receive some while it is closed.
      if (isClosed) return;
      last = Number(payload);
      timer ??= setTimeout(() => {
        timer = undefined;
        if (last > lastSeq()) notify();
      }, DELAY_MS);
    },
    close() {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}
