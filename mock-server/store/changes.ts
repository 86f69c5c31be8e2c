import type { ChangedValue, ChangeRow, MoveOperation, Scalar } from './change-kinds.ts';
import { virtualNow } from './clock.ts';
import type { Db } from './db.ts';
import { toIso } from './instant.ts';

/**
 * Maximum number of changes of the clock to keep, and of all other changes. A test that moves the clock a
 * thousand times does not displace the other changes.
 */
export const MAX_CHANGES = 500;

/** Maximum number of characters of a value to keep, for example of a long list of domains. */
const MAX_VALUE = 500;

type NewChange = Pick<ChangeRow, 'kind'> & Partial<Omit<ChangeRow, 'id' | 'no' | 'kind'>>;

/** Records a change in the transaction that makes it, and drops the oldest change beyond the maximum. */
export function recordChange(db: Db, change: NewChange): ChangeRow {
  const known = listChanges(db);
  const no = (known.at(-1)?.no ?? 0) + 1;
  const realAtMs = db.realNow();
  const added = db.put('changes', {
    id: String(no),
    no,
    atMs: virtualNow(db, realAtMs),
    realAtMs,
    tenantId: null,
    subjectId: null,
    values: [],
    amount: null,
    endedAtMs: null,
    realEndedAtMs: null,
    ...change,
    subject: shorten(change.subject ?? null),
  });
  const alike = [...known, added].filter((one) => isOfClock(one) === isOfClock(added));
  for (const { id } of alike.slice(0, -MAX_CHANGES)) db.delete('changes', id);
  return added;
}

function isOfClock({ kind }: ChangeRow): boolean {
  return kind.startsWith('clock.');
}

/** Returns the changes, oldest first. A snapshot may have them in any order. */
export function listChanges(db: Db): ChangeRow[] {
  return [...db.all('changes')].sort((a, b) => a.no - b.no);
}

/** Deletes all changes. */
export function forgetChanges(db: Db): void {
  for (const { id } of listChanges(db)) db.delete('changes', id);
}

interface Move {
  readonly operation: MoveOperation;
  readonly fromMs: number;
  readonly targetMs: number;
}

/**
 * Records the beginning of a clock move, in its first transaction. A move to the present instant changes
 * nothing and is not recorded.
 */
export function recordMove(db: Db, { operation, fromMs, targetMs }: Move): ChangeRow | null {
  if (targetMs === fromMs) return null;
  return recordChange(db, {
    kind: 'clock.moved',
    atMs: fromMs,
    subject: operation,
    values: [{ name: 'now', before: toIso(fromMs), after: toIso(targetMs) }],
    amount: targetMs - fromMs,
  });
}

/**
 * Records the end of a clock move, in its last transaction. Without it, the process has died during the
 * move. Does nothing if the state was replaced meanwhile.
 */
export function recordMoveEnd(db: Db, move: ChangeRow, endedAtMs: number): void {
  const row = db.get('changes', move.id);
  const isSame =
    row?.kind === move.kind && row.realAtMs === move.realAtMs && row.atMs === move.atMs;
  if (isSame) db.put('changes', { ...row, endedAtMs, realEndedAtMs: db.realNow() });
}

/** The values of a resource that a change can name. */
export interface Facts {
  readonly shown: Readonly<Record<string, Scalar>>;
  /** Values that must not be kept. A change of one is recorded by its name alone. */
  readonly hidden?: Readonly<Record<string, unknown>>;
}

/** Returns the values that differ. */
export function compareFacts(before: Facts, after: Facts): ChangedValue[] {
  const shown = Object.entries(after.shown)
    .filter(([name, value]) => value !== before.shown[name])
    .map(([name, value]) => ({
      name,
      before: shorten(before.shown[name] ?? null),
      after: shorten(value),
    }));
  const isNamed = (name: string): boolean => shown.some((one) => one.name === name);
  const hidden = Object.keys(after.hidden ?? {}).filter(
    (name) => !isNamed(name) && toText(after.hidden?.[name]) !== toText(before.hidden?.[name]),
  );
  return [...shown, ...hidden.map((name) => ({ name }))];
}

/** Returns the values of something new. */
export function toNewValues({ shown }: Facts): ChangedValue[] {
  return Object.entries(shown).map(([name, value]) => ({ name, after: shorten(value) }));
}

function shorten<T extends Scalar | undefined>(value: T): T {
  if (typeof value !== 'string' || value.length <= MAX_VALUE) return value;
  return `${value.slice(0, MAX_VALUE)}…` as T;
}

function toText(value: unknown): string {
  return JSON.stringify(value) ?? '';
}
