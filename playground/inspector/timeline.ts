import type { Entry } from './entry.ts';
import { type Anchor, type PlacedEntry, orderEntries } from './order-entries.ts';

/** Everything that was heard of. */
export interface Timeline {
  /** Adds entries; what was there under the same id is replaced, and keeps when it was first heard. */
  add(entries: readonly Entry[]): void;
  /** A moment known on both clocks. */
  anchor(anchor: Anchor): void;
  /**
   * Takes the service's own lists as the truth, after a gap or a reset: what the service did not keep
   * is gone from here, too. The pages' entries stay.
   */
  replaceService(entries: readonly Entry[]): void;
  clear(): void;
  /** Oldest first. Calls of the SDK carry the session that came of them. */
  list(): readonly PlacedEntry[];
}

/** Beyond this the oldest are forgotten, so that a day of retries does not fill the memory. */
const KEPT = 20_000;

export function createTimeline(): Timeline {
  let entries = new Map<string, Entry>();
  let anchors: Anchor[] = [];
  let ordered: readonly PlacedEntry[] | null = null;
  // What was cleared away does not come back when it is told again.
  let cleared = new Set<string>();

  const put = (entry: Entry): void => {
    if (cleared.has(entry.id)) return;
    const known = entries.get(entry.id);
    entries.set(entry.id, known ? { ...entry, heardMs: known.heardMs } : entry);
  };

  return {
    add(added) {
      for (const entry of added) put(entry);
      if (entries.size > KEPT) {
        const newest = orderEntries([...entries.values()], anchors).slice(-KEPT + KEPT / 10);
        entries = new Map(newest.map(({ placedMs: _placedMs, ...entry }) => [entry.id, entry]));
      }
      ordered = null;
    },
    anchor(anchor) {
      anchors = [...anchors, anchor].slice(-500);
      ordered = null;
    },
    replaceService(truth) {
      const kept = new Set(truth.map(({ id }) => id));
      for (const [id, { virtualMs, kind }] of entries) {
        // A move of the clock is in no list.
        if (virtualMs !== null && !kept.has(id) && kind !== 'clock') entries.delete(id);
      }
      for (const entry of truth) put(entry);
      ordered = null;
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

/** A call is made before there is a session; its result names the session of them all. */
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
