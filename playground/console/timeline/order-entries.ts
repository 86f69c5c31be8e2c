import type { Anchor, Entry, EntryKind } from './entry.ts';

/** An entry with its position in real time. The position is an estimate for most entries of the service. */
export interface PlacedEntry extends Entry {
  readonly placedMs: number;
  /** The time on the service's clock. It is an estimate for the entries of the pages. */
  readonly atMs: number;
}

/**
 * Merges the entries of the pages with the entries of the service, oldest first. Pages record real time,
 * and the service records the time of its own clock. Between two resets, both clocks only move forward, so
 * the entries of the service keep their order. Some moments are known on both clocks, such as the time of
 * each request. They determine where the pages' entries belong. The result depends on the entries alone, so
 * that it is the same in every tab.
 * @param isFrozen True if the service's clock is frozen now
 */
export function orderEntries(entries: readonly Entry[], isFrozen = false): PlacedEntry[] {
  const known = entries
    .flatMap(toAnchors)
    .sort((a, b) => a.virtualMs - b.virtualMs || a.realMs - b.realMs);
  const byRealTime = known.toSorted((a, b) => a.realMs - b.realMs);
  const causes = new Map(
    entries.filter(({ kind }) => kind === 'request').map((entry) => [toCauseKey(entry), entry]),
  );
  const service: PlacedEntry[] = [];
  const pages: PlacedEntry[] = [];
  for (const entry of entries) {
    const { virtualMs, realMs } = entry;
    if (virtualMs === null) {
      const placedMs = realMs ?? 0;
      pages.push({ ...entry, placedMs, atMs: toVirtual(placedMs, byRealTime, isFrozen) });
    } else {
      const caused = entry.cause === null ? undefined : causes.get(toCauseKey(entry));
      const placedMs = realMs ?? caused?.realMs ?? estimate(virtualMs, known);
      service.push({ ...entry, placedMs, atMs: virtualMs });
    }
  }
  service.sort(
    (a, b) =>
      Number(a.virtualMs) - Number(b.virtualMs) ||
      a.placedMs - b.placedMs ||
      rankOf(a) - rankOf(b) ||
      (a.no ?? 0) - (b.no ?? 0),
  );
  let latestMs = -Infinity;
  const placed = service.map((entry) => {
    latestMs = Math.max(latestMs, entry.placedMs);
    return { ...entry, placedMs: latestMs };
  });
  pages.sort((a, b) => a.placedMs - b.placedMs);
  return merge(pages, placed);
}

/** The order of the service's entries at the same instant. A cause comes before its effects. */
const RANKS: readonly EntryKind[] = ['request', 'session', 'event', 'delivery'];

/** Changes come last, because the clock may have been moved from that instant. */
function rankOf({ kind }: Entry): number {
  const rank = RANKS.indexOf(kind);
  return rank < 0 ? RANKS.length : rank;
}

function toAnchors({ virtualMs, realMs, anchors = [] }: Entry): readonly Anchor[] {
  return virtualMs === null || realMs === null ? anchors : [{ virtualMs, realMs }, ...anchors];
}

/**
 * Returns the same text for a request and its effects on its session. While the clock is frozen, many
 * requests have the same virtual time.
 */
function toCauseKey({ cause, sessionId, virtualMs }: Entry): string {
  return `${cause} ${sessionId} ${virtualMs}`;
}

/** Estimates the real time of an entry of the service: its clock has run since the previous anchor. */
function estimate(virtualMs: number, known: readonly Anchor[]): number {
  const at = upperBound(known, virtualMs, 'virtualMs');
  const before = known[at - 1];
  const after = known[at];
  if (!before) return after ? after.realMs - (after.virtualMs - virtualMs) : virtualMs;
  const ranMs = before.realMs + virtualMs - before.virtualMs;
  return after ? Math.min(ranMs, after.realMs) : ranMs;
}

/**
 * Estimates the time on the service's clock from the anchors, which are sorted by real time. The estimate
 * is not after the next anchor, which the clock has not reached yet.
 */
function toVirtual(realMs: number, anchors: readonly Anchor[], isFrozenNow: boolean): number {
  const at = upperBound(anchors, realMs, 'realMs');
  const before = anchors[at - 1];
  const after = anchors[at];
  if (!before) return after ? after.virtualMs - (after.realMs - realMs) : realMs;
  const ranMs = wasFrozen(anchors, at, isFrozenNow) ? 0 : realMs - before.realMs;
  return Math.min(before.virtualMs + ranMs, after?.virtualMs ?? Infinity);
}

/** Tells whether the clock was frozen before the anchor at this index. */
function wasFrozen(anchors: readonly Anchor[], at: number, isFrozenNow: boolean): boolean {
  const earlier = anchors.findLast((one, index) => index < at && one.isFrozen !== undefined);
  if (earlier) return earlier.isFrozen === true;
  // The first change that is known has changed it.
  const later = anchors.find(({ isFrozen }) => isFrozen !== undefined);
  return later ? later.isFrozen === false : isFrozenNow;
}

/** Returns the index of the first anchor after the instant, on the clock by which they are sorted. */
function upperBound(known: readonly Anchor[], ms: number, clock: 'virtualMs' | 'realMs'): number {
  let low = 0;
  let high = known.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((known[middle]?.[clock] ?? Infinity) <= ms) low = middle + 1;
    else high = middle;
  }
  return low;
}

function merge(pages: readonly PlacedEntry[], service: readonly PlacedEntry[]): PlacedEntry[] {
  const merged: PlacedEntry[] = [];
  let next = 0;
  for (const entry of service) {
    for (let page = pages[next]; page && page.placedMs <= entry.placedMs; page = pages[next]) {
      merged.push(page);
      next += 1;
    }
    merged.push(entry);
  }
  return [...merged, ...pages.slice(next)];
}
