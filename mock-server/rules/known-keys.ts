import type { Db } from '../store/db.ts';

/**
 * The id of the setting that exists if other people may know keys of the state. Its value says where the
 * keys came from. It stays until the state is deleted, because a known key stays valid.
 */
export const KNOWN_KEYS_ID = 'known-keys';

/** The origins of keys that other people may know, with the description in messages. */
const ORIGINS = {
  seed: 'a seed, with which everybody gets the same keys',
  options: 'a file or a program that names a secret key',
  snapshot: 'a snapshot with secrets',
} as const;

export type KnownKeysOrigin = keyof typeof ORIGINS;

export function markKnownKeys(db: Db, origin: KnownKeysOrigin): void {
  if (db.get('settings', KNOWN_KEYS_ID)?.value === origin) return;
  db.put('settings', { id: KNOWN_KEYS_ID, value: origin });
}

/** Describes the origin of the keys that other people may know. Returns null if all keys are random. */
export function describeKnownKeys(db: Db): string | null {
  const origin = db.get('settings', KNOWN_KEYS_ID)?.value;
  if (origin === undefined) return null;
  return ORIGINS[origin as KnownKeysOrigin] ?? ORIGINS.snapshot;
}
