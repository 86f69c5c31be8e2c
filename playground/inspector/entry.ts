/** Where an entry of the timeline comes from: what the shop's pages saw, then what the service did. */
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

/** One thing that happened. */
export interface Entry {
  /** The same whenever the same thing is heard of again. */
  readonly id: string;
  readonly kind: EntryKind;
  /** By the service's clock; null for what a page saw, which does not know it. */
  readonly virtualMs: number | null;
  /** By this computer's clock; null when nobody noted it. */
  readonly realMs: number | null;
  /** When this page heard of it, by this computer's clock; null for what was there before. */
  readonly heardMs: number | null;
  readonly title: string;
  readonly tone: EntryTone;
  readonly sessionId: string | null;
  /** Which attempt of a page it belongs to: `verify()` is called before there is a session. */
  readonly call: string | null;
  /** Plain JSON. */
  readonly detail: unknown;
}
