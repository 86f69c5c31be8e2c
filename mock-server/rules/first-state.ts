import { CLOCK_ID } from '../store/clock.ts';
import type { Change, Db } from '../store/db.ts';
import { toHex, type Random } from '../store/random.ts';
import type { SettingRow } from '../store/tables.ts';

/** Start time of a new state's clock, and whether the clock is frozen. */
export interface ClockStart {
  readonly now?: Date | number | undefined;
  readonly frozen?: boolean | undefined;
}

/**
 * Sets the clock of a new state from the options. If neither option is set, virtual time equals real time.
 */
export function startClock(db: Db, { now, frozen = false }: ClockStart, realNowMs: number): void {
  if (now === undefined && !frozen) return;
  const nowMs = now === undefined ? realNowMs : Number(now);
  db.put('clock', {
    id: CLOCK_ID,
    frozenAtMs: frozen ? nowMs : null,
    offsetMs: nowMs - realNowMs,
  });
}

/** Creates the key that signs session tokens, once per state, so that tokens stay valid after a restart. */
export function ensureSigningKey(db: Db, random: Random): void {
  if (db.get('settings', SIGNING_KEY_ID)) return;
  db.put('settings', { id: SIGNING_KEY_ID, value: toHex(random.bytes(32)) });
}

export function readSigningKey([table, id, row]: Change): string | undefined {
  if (table !== 'settings' || id !== SIGNING_KEY_ID) return undefined;
  return (row as SettingRow | null)?.value;
}

export const SIGNING_KEY_ID = 'signing-key';
