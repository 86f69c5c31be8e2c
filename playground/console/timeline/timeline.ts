import type { Entry } from './entry.ts';
import { type Anchor, type PlacedEntry, orderEntries } from './order-entries.ts';

/** All entries that the page has received. */
export interface Timeline {
  /**
   * Adds entries. An entry replaces the one with the same id, but keeps the time when that one was
   * received.
   */
  add(entries: readonly Entry[]): void;
  /** Adds a moment that is known on both clocks. */
  anchor(anchor: Anchor): void;
  /**
   * Replaces the entries of the service, after the first read, a gap in the stream or a reset. Entries that
   * the service no longer has are removed. The entries of the pages and of clock moves stay.
   */
  replaceService(entries: readonly Entry[]): void;
  clear(): void;
  /**
   * Returns the entries, oldest first. The entries of an SDK call have the id of the session that the call
   * created.
   */
  list(): readonly PlacedEntry[];
}

/**
 * The maximum number of entries, so that a day of retries does not fill the memory. The oldest are removed
 * first.
 */
const MAX_ENTRIES = 20_000;

/** @param onChange Called after each change of the entries */
export function createTimeline(onChange: () => void = () => {}): Timeline {
  let entries = new Map<string, Entry>();
  let anchors: Anchor[] = [];
  let ordered: readonly PlacedEntry[] | null = null;
  // The ids of entries that the user has cleared. Updates of these entries are ignored.
  let cleared = new Set<string>();

  const put = (entry: Entry): void => {
    if (cleared.has(entry.id)) return;
    const known = entries.get(entry.id);
    entries.set(entry.id, known ? { ...entry, receivedMs: known.receivedMs } : entry);
  };

  return {
    add(added) {
      for (const entry of added) put(entry);
      if (entries.size > MAX_ENTRIES) {
        const newest = orderEntries([...entries.values()], anchors).slice(
          -MAX_ENTRIES + MAX_ENTRIES / 10,
        );
        entries = new Map(
          newest.map(({ placedMs: _placedMs, atMs: _atMs, ...entry }) => [entry.id, entry]),
        );
      }
      ordered = null;
      onChange();
    },
    anchor(anchor) {
      anchors = [...anchors, anchor].slice(-500);
      ordered = null;
    },
    replaceService(serviceEntries) {
      const kept = new Set(serviceEntries.map(({ id }) => id));
      for (const [id, { virtualMs, kind }] of entries) {
        // No list contains the moves of the clock, so their entries stay.
        if (virtualMs !== null && !kept.has(id) && kind !== 'clock') entries.delete(id);
      }
      for (const entry of serviceEntries) put(entry);
      ordered = null;
      onChange();
    },
    clear() {
      cleared = new Set([...cleared, ...entries.keys()]);
      entries.clear();
      ordered = null;
    },
    list() {
      ordered ??= orderEntries(withSessions([...entries.values()]), anchors);
      return ordered;
    },
  };
}

/**
 * Adds the session's id to all entries of an SDK call. A call starts before its session exists, so its
 * first entries do not name the session.
 */
function withSessions(entries: readonly Entry[]): Entry[] {
  const sessions = new Map<string, string>();
  for (const { call, sessionId } of entries) {
    if (call !== null && sessionId !== null) sessions.set(call, sessionId);
  }
  return entries.map((entry) => {
    if (entry.call === null || entry.sessionId !== null) return entry;
    return { ...entry, sessionId: sessions.get(entry.call) ?? null };
  });
}
