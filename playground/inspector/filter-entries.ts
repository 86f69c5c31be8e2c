import type { Entry, EntryKind } from './entry.ts';

export interface EntryFilter {
  readonly kinds: ReadonlySet<EntryKind>;
  /** Null is every session, and what is about none. */
  readonly sessionId: string | null;
  /** Anywhere in the entry, in any case; several words must all be there. */
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

/** Entries are never changed in place, so what was searched once is known. */
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
