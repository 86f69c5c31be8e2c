import type { Log } from '../../../mock-server/store/log.ts';

/** A storage location of a log, with direct access for the tests. */
export interface LogPlace {
  /** Opens a log on the same state, as a different process would. */
  open(): Log | Promise<Log>;
  /** Returns the number of stored entries. A snapshot counts as its number of parts. */
  entries(): Promise<number>;
  /** Marks the stored state as written in a newer format. No log may have it open. */
  setFormat?(format: number): Promise<void>;
  /** Deletes the storage and closes everything that the test left open. */
  dispose(): Promise<void>;
}

export interface LogTraits {
  /** True if several processes may open it at once. Otherwise the second one is rejected. */
  readonly isShared: boolean;
  /** True if a snapshot replaces old entries. */
  readonly compacts: boolean;
  /** True if a state in a newer format is refused. */
  readonly refusesNewerFormat?: boolean;
}
