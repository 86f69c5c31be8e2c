import type { ChangedValue, ChangeKind, Scalar } from '../store/change-kinds.ts';

/**
 * Something that was done to the clock, the settings or the state. A change has no secrets, and no names
 * and email addresses of an account.
 */
export interface ChangeResource {
  /** A number that counts up from 1, and starts again after a reset. */
  id: number;
  /** The time by the service's clock. For a clock move: its beginning. */
  at: string;
  /** The same by the computer's clock. */
  realAt: string;
  kind: ChangeKind;
  /** Null if the change concerns all accounts. */
  tenantId: string | null;
  /**
   * The id of the endpoint, the key pair or the fault. Null for all others, and for a legacy webhook, which
   * has none.
   */
  subjectId: string | null;
  /**
   * What was changed: the URL of an endpoint without its query, the kind of a key, a fault, the outcomes, or
   * the operation that moved the clock.
   */
  subject: string | null;
  /** The values before and after. A value that must not be kept has only its name. */
  values: readonly ChangedValue[];
  /** The milliseconds of a clock move, or the number of events, calls, outcomes or faults. */
  amount: number | null;
  /** The end of a clock move. Null until it has ended, after a crash, and for all other changes. */
  endedAt: string | null;
  /** The same by the computer's clock. */
  realEndedAt: string | null;
}

/** The changes to list. An omitted field does not restrict the list, except `limit`. */
export interface ChangeFilter {
  /** Lists only changes of this account and those that concern all accounts. */
  tenantId?: string | undefined;
  /** Lists only changes of these, such as the clock. */
  of?: ChangeSubject | undefined;
  /** Lists only changes with a smaller id than this. */
  before?: number | undefined;
  /** Maximum number of changes. The newest ones are returned. @default 100 */
  limit?: number | undefined;
}

export const CHANGE_SUBJECTS = [
  'clock',
  'endpoint',
  'key',
  'account',
  'outcome',
  'fault',
  'state',
] as const;
/** What changes are of: the part of their kind before the dot. */
export type ChangeSubject = (typeof CHANGE_SUBJECTS)[number];

export function subjectOf(kind: ChangeKind): ChangeSubject {
  const [subject] = kind.split('.');
  // The cast is safe, because the kinds begin with these words.
  return subject as ChangeSubject;
}

export interface ChangeControl {
  /**
   * Lists the last 500 changes of the clock and the last 500 others, newest first. They are part of the
   * state. A reset deletes them and is itself the first of the new ones.
   */
  changes(filter?: ChangeFilter): Promise<ChangeResource[]>;
}

/**
 * Returns a sentence about a change.
 *
 * @param change A change, as `changes()` lists it.
 * @param toDuration Formats milliseconds, so that a page and a command can each have their own form.
 * @returns The sentence, such as `Clock moved 1 h forward`.
 * @example
 * ```ts
 * import { createControlClient, describeChange } from 'ofage-mock/client';
 *
 * const mock = createControlClient();
 * const [newest] = await mock.changes();
 * if (newest) console.log(describeChange(newest, (ms) => `${ms} ms`));
 * ```
 */
export function describeChange(change: ChangeResource, toDuration: (ms: number) => string): string {
  const { kind, subject, amount } = change;
  const endpoint = change.subjectId === null ? 'Legacy webhook' : 'Endpoint';
  switch (kind) {
    case 'clock.frozen':
      return 'Clock frozen';
    case 'clock.resumed':
      return 'Clock resumed';
    case 'clock.moved':
      return describeMove(change, toDuration);
    case 'endpoint.added':
      return `${endpoint} added: ${subject}`;
    case 'endpoint.changed':
      return describeSettings(change, endpoint);
    case 'endpoint.paused':
      return `Webhooks to ${subject} paused: ${valueOf(change, 'pauseReason')?.after}`;
    case 'endpoint.resumed':
      return `Webhooks to ${subject} resumed`;
    case 'endpoint.redelivered':
      return `${countOf(amount, 'event')} queued again for ${subject}`;
    case 'endpoint.secret_rotated':
      return `Signing secret rotated: ${subject}`;
    case 'endpoint.migrated':
      return `Legacy webhook converted to an endpoint: ${subject}`;
    case 'endpoint.removed':
      return `${endpoint} deleted: ${subject}`;
    case 'key.added':
      return 'Key pair added';
    case 'key.changed':
      return describeKey(change);
    case 'account.added':
      return 'Account added';
    case 'account.changed':
      return `Settings changed: ${listValues(change)}`;
    case 'outcome.queued':
      return `${countOf(amount, 'outcome')} queued: ${subject}`;
    case 'outcome.cleared':
      return `${countOf(amount, 'queued outcome')} cleared`;
    case 'fault.added':
      return `Fault ${subject}: the next ${toCalls(change, amount === 1)}`;
    case 'fault.removed':
      return `Fault ${subject} removed: it was left for ${toCalls(change)}`;
    case 'fault.cleared':
      return `${countOf(amount, 'fault')} removed`;
    case 'state.reset':
      return 'State reset';
    case 'state.loaded': {
      const isHeld = valueOf(change, 'webhooks')?.after === 'held';
      return `Snapshot loaded${isHeld ? ', webhooks to public addresses are held' : ''}`;
    }
    case 'state.released':
      return 'Held webhooks released';
    default:
      // A mock of a later version may have further kinds.
      return kind satisfies never;
  }
}

function describeMove(change: ChangeResource, toDuration: (ms: number) => string): string {
  const { at, amount, endedAt, subject } = change;
  const asked = toDuration(amount ?? 0);
  if (endedAt === null) return `Clock move by ${asked}, not finished`;
  const movedMs = Date.parse(endedAt) - Date.parse(at);
  if (movedMs < (amount ?? 0)) return `Clock moved ${toDuration(movedMs)} of ${asked} forward`;
  return `Clock moved ${asked} forward${subject === 'next' ? ', to what was due next' : ''}`;
}

/** Names the change of an endpoint. Switching it or giving it another address has words of its own. */
function describeSettings(change: ChangeResource, endpoint: string): string {
  const { subject, values } = change;
  const [only] = values;
  if (values.length === 1 && only?.name === 'enabled')
    return `${endpoint} ${only.after === true ? 'enabled' : 'disabled'}: ${subject}`;
  if (values.length === 1 && only?.name === 'url') return `${endpoint} moved to ${subject}`;
  return `${endpoint} changed: ${subject}, ${listValues(change)}`;
}

function describeKey(change: ChangeResource): string {
  const key = change.subject === 'secret' ? 'Secret key' : 'Publishable key';
  const status = valueOf(change, 'status');
  if (!status) return `${key} replaced`;
  return `${key} ${status.after === 'active' ? 'resumed' : status.after}`;
}

/** @param isBare True if the number is left out. */
function toCalls(change: ChangeResource, isBare = false): string {
  const operation = valueOf(change, 'operation')?.after;
  const isWebhook = operation === 'webhook';
  const calls = countOf(change.amount, isWebhook ? 'webhook' : 'call', isBare);
  return isWebhook ? calls : `${calls} to ${operation}`;
}

function valueOf({ values }: ChangeResource, name: string): ChangedValue | undefined {
  return values.find((value) => value.name === name);
}

/** Lists the values: `sandboxMode true → false, members 1 → 2, name`. */
function listValues({ values }: ChangeResource): string {
  return values.map(describeValue).join('; ');
}

function describeValue({ name, before, after }: ChangedValue): string {
  if (after === undefined) return name;
  return `${name} ${toText(before)} → ${toText(after)}`;
}

function toText(value: Scalar | undefined): string {
  return value === undefined || value === null || value === '' ? 'none' : String(value);
}

/** @param isBare Leaves out the number, as in "the next call". */
function countOf(amount: number | null, noun: string, isBare = false): string {
  if (isBare) return noun;
  return `${amount ?? 0} ${noun}${amount === 1 ? '' : 's'}`;
}
