/**
 * The kinds of timeline entries. The shop's pages report the first five, and the service reports the other
 * kinds.
 */
export const ENTRY_KINDS = [
  'sdk',
  'callback',
  'message',
  'page',
  'server',
  'request',
  'session',
  'event',
  'delivery',
  'endpoint',
  'fault',
  'clock',
] as const;

export type EntryKind = (typeof ENTRY_KINDS)[number];

export const KIND_NAMES: Readonly<Record<EntryKind, string>> = {
  sdk: 'SDK',
  callback: 'Callback',
  message: 'Message',
  page: 'Page',
  server: 'Shop server',
  request: 'Request',
  session: 'Session',
  event: 'Event',
  delivery: 'Delivery',
  endpoint: 'Endpoint',
  fault: 'Fault',
  clock: 'Clock',
};

export type EntryTone = 'neutral' | 'good' | 'bad' | 'warn' | 'accent';

export interface Entry {
  /** A stable id. An update of an entry has the same id as the entry. */
  readonly id: string;
  readonly kind: EntryKind;
  /**
   * The time on the service's clock. Null for entries of the pages, because a page does not know that
   * clock.
   */
  readonly virtualMs: number | null;
  /** The time on this computer's clock, or null if it was not recorded. */
  readonly realMs: number | null;
  /**
   * The time on this computer's clock when the live stream delivered the entry. Null if the entry was read
   * from a list, or if `realMs` is known.
   */
  readonly receivedMs: number | null;
  readonly title: string;
  readonly tone: EntryTone;
  readonly sessionId: string | null;
  /** The id of the `verify()` call to which the entry belongs. A call starts before its session exists. */
  readonly call: string | null;
  /** The details, as plain JSON. */
  readonly detail: unknown;
}
