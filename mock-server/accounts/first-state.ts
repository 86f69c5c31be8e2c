import { CLOCK_ID } from '../core/clock.ts';
import type { Change, Db } from '../core/db.ts';
import { toHex, type Random } from '../core/random.ts';
import type { SettingRow } from '../core/tables.ts';

/** Start of a new state's clock, and whether the clock is frozen there. */
export interface ClockStart {
  readonly now?: Date | number | undefined;
  readonly frozen?: boolean | undefined;
}

/** Starts a new state's clock where the options say; without them virtual time is real time. */
export function startClock(db: Db, { now, frozen = false }: ClockStart, realNowMs: number): void {
  if (now === undefined && !frozen) return;
  const nowMs = now === undefined ? realNowMs : Number(now);
  db.put('clock', {
    id: CLOCK_ID,
    frozenAtMs: frozen ? nowMs : null,
    offsetMs: nowMs - realNowMs,
  });
}

/** The key that signs session tokens: made once per state, so that a restart opens the tokens it gave out. */
export function ensureSigningKey(db: Db, random: Random): void {
  if (db.get('settings', SIGNING_KEY_ID)) return;
  db.put('settings', { id: SIGNING_KEY_ID, value: toHex(random.bytes(32)) });
}

/** The key, when a change is about it. */
export function readSigningKey([table, id, row]: Change): string | undefined {
  if (table !== 'settings' || id !== SIGNING_KEY_ID) return undefined;
  return (row as SettingRow | null)?.value;
}

export const SIGNING_KEY_ID = 'signing-key';
