import {
  int,
  listOf,
  objectOf,
  oneOf,
  optional,
  orNull,
  type Row,
  scalar,
  text,
  time,
} from './checks.ts';

// The table of changes: facts about what was done to the clock, the settings and the state. Sessions,
// events and deliveries record their own history.

export const CHANGE_KINDS = [
  'clock.frozen',
  'clock.resumed',
  'clock.moved',
  'endpoint.added',
  'endpoint.changed',
  'endpoint.paused',
  'endpoint.resumed',
  'endpoint.redelivered',
  'endpoint.secret_rotated',
  'endpoint.migrated',
  'endpoint.removed',
  'key.added',
  'key.changed',
  'account.added',
  'account.changed',
  'outcome.queued',
  'outcome.cleared',
  'fault.added',
  'fault.removed',
  'fault.cleared',
  'state.reset',
  'state.loaded',
  'state.released',
] as const;
/** The kind of a change. The part before the dot is what was changed. */
export type ChangeKind = (typeof CHANGE_KINDS)[number];

/** The operation of a clock move. */
export type MoveOperation = 'advance' | 'set' | 'next';

/** A value of a setting. A list is one text. */
export type Scalar = string | number | boolean | null;

/** A value before and after a change. Both are absent if they are a secret or personal data. */
export interface ChangedValue {
  /** The name of the field in the control API, such as `enabled` or `policy.challengeAge`. */
  readonly name: string;
  /** Absent if there was none. */
  readonly before?: string | number | boolean | null;
  readonly after?: string | number | boolean | null;
}

/** The row's id is the value of `no` as text. */
export const changes = {
  /** The number of the change, counted from 1. */
  no: int,
  /** Virtual time. */
  atMs: time,
  /** Real time. */
  realAtMs: time,
  kind: oneOf<ChangeKind>(...CHANGE_KINDS),
  /** The account. Null if the change concerns all of them. */
  tenantId: orNull(text),
  /** The id of the endpoint, the key pair or the fault. Null for all others, and for a legacy webhook. */
  subjectId: orNull(text),
  /** The URL of the endpoint, the kind of the key, the fault, the outcomes or the operation of the clock. */
  subject: orNull(text),
  values: listOf(
    objectOf<ChangedValue>({ name: text, before: optional(scalar), after: optional(scalar) }),
    'changed values, each with a name and its values before and after',
  ),
  /** The milliseconds of a clock move, or the number of events, calls, outcomes or faults. */
  amount: orNull(int),
  /** The end of a clock move, in virtual time. Null until it has ended, and for all other changes. */
  endedAtMs: orNull(time),
  /** The same in real time. */
  realEndedAtMs: orNull(time),
};
export interface ChangeRow extends Row<typeof changes> {}
