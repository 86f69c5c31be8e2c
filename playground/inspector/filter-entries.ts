import type { Entry, EntryKind } from './entry.ts';

export interface EntryFilter {
  readonly kinds: ReadonlySet<EntryKind>;
  /** The session to show. Null matches all entries, including those without a session. */
  readonly sessionId: string | null;
  /**
   * The words to find in the title, kind, session id or details of an entry. All words must match. Case is
   * ignored.
   */
  readonly text: string;
}

export function filterEntries<Kind extends Entry>(
  entries: readonly Kind[],
  { kinds, sessionId, text }: EntryFilter,
): Kind[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return entries.filter(
    (entry) =>
      kinds.has(entry.kind) &&
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
