import { describeKnownKeys } from '../rules/known-keys.ts';
import type { Db } from '../store/db.ts';
import { ServiceError } from '../store/errors.ts';

/** The listener through which other devices reach the service. The host opens it. */
export interface PublicDoor {
  /** The origin at which other devices reach the service. */
  readonly url: string;
  /** The port on this computer that a tunnel leads to. */
  readonly port: number;
  /** Returns the time of the last request. Real time, in milliseconds. Null if none has arrived. */
  lastRequestAtMs(): number | null;
  /** Called when another process that shares the state has added keys that other people may know. */
  close(): void;
}

/**
 * Checks that nobody else knows a key of the state, because everybody can reach the API.
 * @throws {ServiceError} conflict
 */
export function assertSecretKeys(db: Db): void {
  const origin = describeKnownKeys(db);
  if (origin === null) return;
  throw new ServiceError(
    'conflict',
    `The mock cannot have a public address with these keys, because they come from ${origin}. Start with another state: --ephemeral, or --data with a new file`,
  );
}
