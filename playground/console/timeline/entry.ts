import type { Tone } from '../../shared/kit/chip.tsx';

/** The kinds of timeline entries. The shop's pages report the first four. */
export const KIND_NAMES = {
  sdk: 'SDK',
  callback: 'Callback',
  message: 'Message',
  page: 'Page',
  request: 'Request',
  session: 'Session',
  event: 'Event',
  delivery: 'Delivery',
  clock: 'Clock',
  endpoint: 'Endpoint',
  key: 'Key',
  account: 'Settings',
  outcome: 'Outcome',
  fault: 'Fault',
  state: 'State',
} as const;

export type EntryKind = keyof typeof KIND_NAMES;

export type Cause = 'create' | 'settle' | 'validate';

export interface Entry {
  /** A stable id. An update of an entry has the same id as the entry. */
  readonly id: string;
  readonly kind: EntryKind;
  /** The time on the service's clock. */
  readonly atMs: number;
  /** The time on this computer's clock, or null if it was not recorded. */
  readonly realMs: number | null;
  /** For a request: what it did to its session. For an entry of a session: the request that caused it. */
  readonly cause: Cause | null;
  /** The number of a change or a report, for the order of those at the same instant. */
  readonly no?: number;
  readonly title: string;
  readonly tone: Tone;
  readonly sessionId: string | null;
  /** The id of the `verify()` call to which the entry belongs. A call starts before its session exists. */
  readonly call: string | null;
  /** The details, as plain JSON. */
  readonly detail: unknown;
}

export interface EntryFilter {
  /** The kinds to show. If there are none, all are shown. */
  readonly kinds: readonly string[];
  /** The session to show. Null matches all entries, including those without a session. */
  readonly sessionId: string | null;
  /**
   * The words to find in the title, kind, session id or details of an entry. All words must match. Case is
   * ignored.
   */
  readonly text: string;
}

export function filterEntries(
  entries: readonly Entry[],
  { kinds, sessionId, text }: EntryFilter,
): Entry[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return entries.filter(
    (entry) =>
      (kinds.length === 0 || kinds.includes(entry.kind)) &&
      (sessionId === null || entry.sessionId === sessionId) &&
      words.every((word) => toText(entry).includes(word)),
  );
}

/**
 * A cache of the searchable text of each detail. It never becomes stale, because entries are never changed
 * in place.
 */
const texts = new WeakMap<object, string>();

function toText(entry: Entry): string {
  const detail = Object(entry.detail) as object;
  let text = texts.get(detail);
  if (text === undefined) {
    text = (JSON.stringify(entry.detail) ?? '').toLowerCase();
    texts.set(detail, text);
  }
  return `${entry.title} ${entry.kind} ${entry.sessionId ?? ''}`.toLowerCase() + text;
}
