import { reasonOf } from '../errors.ts';
import { LOG_FORMAT, LogError } from '../log.ts';

/** Explanations and advice for the error codes of PostgreSQL, the network and Node. */
const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused; start PostgreSQL or use a different address',
  ENOENT: 'the socket does not exist; start PostgreSQL or use a different address',
  ENOTFOUND: 'the host does not exist; use a different one',
  EAI_AGAIN: 'the host name lookup failed; try again or use a different host',
  '28000': 'the server rejects this user; use a different user or change pg_hba.conf',
  '28P01': 'the password is wrong; set the right one in the URL or in PGPASSWORD',
  '3D000': 'the database does not exist; create it with createdb or use a different one',
  '42501':
    'this user has no permission to store state there; grant CREATE on the database or make the user the owner of the schema "ofage"',
  '42703': 'its schema "ofage" belongs to another program; use a different database',
  '25006': 'it is read-only; use the primary server',
  '53300': 'it has too many connections; close some of them',
};

/** Describes in one sentence why a connection failed or could not be set up. */
export function toOpenError(error: unknown, address: string): LogError {
  if (error instanceof LogError) return error;
  if (codeOf(error) === LOCK_TIMEOUT) return heldLock(address, error);
  return unreadable(address, REASONS[codeOf(error)] ?? toReason(error), error);
}

/**
 * Describes why a transaction failed. If the connection was lost, the writes may still have been committed.
 */
export function toCommitError(error: unknown, address: string, isLost: boolean): LogError {
  if (error instanceof LogError) return error;
  if (codeOf(error) === LOCK_TIMEOUT) return heldLock(address, error);
  const outcome = isLost ? 'it is unknown whether the change was made' : 'the change was not made';
  return new LogError(
    'append_failed',
    `Cannot write to the database "${address}": ${REASONS[codeOf(error)] ?? toReason(error)}; ${outcome}`,
    { cause: error },
  );
}

export function driverMissing(error: unknown): LogError {
  const reason = codeOf(error).endsWith('MODULE_NOT_FOUND')
    ? 'the package "pg" is not installed; run npm install pg'
    : `the package "pg" failed to load: ${toReason(error)}`;
  return new LogError('unreadable', `Cannot keep state in PostgreSQL: ${reason}`, { cause: error });
}

/** Reports an invalid URL. The URL may contain a password, so it is not quoted. */
export function badUrl(error: unknown): LogError {
  return new LogError(
    'unreadable',
    `Cannot parse the database URL: ${toReason(error)}; use postgres://user@host:port/database`,
    { cause: error },
  );
}

export function newerFormat(format: number, address: string): LogError {
  return new LogError(
    'newer_format',
    `Cannot open the database "${address}": its format is ${format}, but this version of ofage reads up to ${LOG_FORMAT}; update ofage or use a different database`,
  );
}

/** Reports a state that is not upgraded, because the other servers that share it may still need it. */
export function olderFormat(format: number, address: string): LogError {
  return unreadable(
    address,
    `its format is ${format}, but this version of ofage reads only ${LOG_FORMAT}; use a different database, or drop the schema "ofage" to start with an empty state`,
  );
}

export function foreignSchema(address: string): LogError {
  return unreadable(address, REASONS['42703'] ?? '');
}

export function wrongEncoding(encoding: string, address: string): LogError {
  return unreadable(
    address,
    `its encoding is ${encoding}, which cannot store every text; create a database with createdb -E UTF8 -T template0`,
  );
}

export function damagedEntry(seq: number, address: string, cause: unknown): LogError {
  return unreadable(
    address,
    `its entry ${seq} is damaged (${toReason(cause)}); use a different database, or drop the schema "ofage" to start with an empty state`,
    cause,
  );
}

const LOCK_TIMEOUT = '55P03';

function heldLock(address: string, cause: unknown): LogError {
  return new LogError(
    'locked',
    `Cannot use the database "${address}": another process has held the write lock for too long; stop that process`,
    { cause },
  );
}

function unreadable(address: string, reason: string, cause?: unknown): LogError {
  return new LogError('unreadable', `Cannot open the database "${address}": ${reason}`, { cause });
}

function codeOf(error: unknown): string {
  return String((error as { code?: unknown } | null)?.code);
}

function toReason(error: unknown): string {
  const text = reasonOf(error);
  // pg throws this message if the server requires a password and none is set.
  return /client password must be a string/.test(text) ? (REASONS['28P01'] ?? text) : text;
}
