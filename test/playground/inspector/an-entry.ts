import type { Entry } from '../../../playground/inspector/entry.ts';

let count = 0;

/** Creates a timeline entry. Set `virtualMs` for an entry of the service, or `realMs` for one of a page. */
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
