import { statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { LogError } from '../log.ts';
import { reasonOf } from '../reason-of.ts';

// SQLite's primary result codes, which are the lowest byte of the extended ones.
const BUSY = 5;
const IO_ERROR = 10;
const FULL = 13;
const CANNOT_OPEN = 14;

/** Space that SQLite needs to open a file, for the index of its write-ahead log. Bytes. */
const ROOM_BYTES = 65_536;

/** Describes why a data file could not be opened, and how to fix it. */
export function toOpenError(file: string, error: unknown): LogError {
  if (error instanceof LogError) return error;
  const code = Number((error as { errcode?: unknown }).errcode) & 0xff;
  if (code === FULL || ((code === IO_ERROR || code === CANNOT_OPEN) && isDiskFull(file)))
    return unreadable(
      file,
      'the disk is full; free some space and start again, and keep the file and its companion files where they are: no data is lost',
      error,
    );
  switch (code) {
    case BUSY:
      return new LogError(
        'locked',
        `Cannot open the data file "${file}": another server is using it; stop that server or use a different file`,
        { cause: error },
      );
    case IO_ERROR:
      return unreadable(
        file,
        `the disk is full or failing (${reasonOf(error)}); free some space or check the disk and start again, and keep the file and its companion files where they are, because they contain the newest entries`,
        error,
      );
    case CANNOT_OPEN:
      return unreadable(
        file,
        'files cannot be created next to it; make its folder writable or use a different file',
        error,
      );
    default:
      return damaged(file, reasonOf(error), error);
  }
}

/** Advises to move the companion files too, because the write-ahead log contains the newest entries. */
export function damaged(file: string, reason: string, cause?: unknown): LogError {
  return unreadable(
    file,
    `it is damaged or not a data file of ofage (${reason}); use a different file, or move this one and its companion files away to start with an empty state`,
    cause,
  );
}

export function unreadable(file: string, reason: string, cause?: unknown): LogError {
  return new LogError('unreadable', `Cannot open the data file "${file}": ${reason}`, { cause });
}

/** Tells whether the disk is full, because SQLite often reports that as an I/O error. */
function isDiskFull(file: string): boolean {
  try {
    const { bavail, bsize, files, ffree } = statfsSync(dirname(file));
    return bavail * bsize < ROOM_BYTES || (files > 0 && ffree === 0);
  } catch {
    return false;
  }
}
