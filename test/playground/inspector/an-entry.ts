import type { Entry } from '../../../playground/inspector/entry.ts';

let count = 0;

/** Returns an entry of the service with a virtual time, or of a page with a real time. */
export function anEntry(fields: Partial<Entry> = {}): Entry {
  count += 1;
  return {
    id: `entry-${count}`,
    kind: 'session',
    virtualMs: null,
    realMs: null,
    receivedMs: null,
    title: 'Something happened',
    tone: 'neutral',
    sessionId: null,
    call: null,
    detail: null,
    ...fields,
  };
}
