import type { Entry, EntryKind } from './entry.ts';

/** A moment that is known on both clocks. */
export interface Anchor {
  readonly virtualMs: number;
  readonly realMs: number;
  /** True if the service's clock stands still from then on. Undefined if this is not known. */
  readonly isFrozen?: boolean;
}

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
 * each request. They determine where the pages' entries belong.
 */
export function orderEntries(
  entries: readonly Entry[],
  anchors: readonly Anchor[] = [],
): PlacedEntry[] {
  const known = [...anchors, ...entries.flatMap(toAnchor)].sort(
    (a, b) => a.virtualMs - b.virtualMs || a.realMs - b.realMs,
  );
  const byRealTime = known.toSorted((a, b) => a.realMs - b.realMs);
  const service: PlacedEntry[] = [];
  const pages: PlacedEntry[] = [];
  for (const entry of entries) {
    const { virtualMs, realMs } = entry;
    if (virtualMs === null) {
      const placedMs = realMs ?? 0;
      pages.push({ ...entry, placedMs, atMs: toVirtual(placedMs, byRealTime) });
    } else {
      const placedMs = realMs ?? estimate(entry, virtualMs, known);
      service.push({ ...entry, placedMs, atMs: virtualMs });
    }
  }
  service.sort(
    (a, b) =>
      Number(a.virtualMs) - Number(b.virtualMs) ||
      a.placedMs - b.placedMs ||
      RANKS.indexOf(a.kind) - RANKS.indexOf(b.kind),
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
const RANKS: readonly EntryKind[] = [
  'fault',
  'request',
  'session',
  'event',
  'delivery',
  'endpoint',
  'clock',
];

/** The longest delay to expect from the live stream while the clock runs. */
const MAX_DELAY_MS = 3_000;

function toAnchor({ virtualMs, realMs }: Entry): Anchor[] {
  return virtualMs === null || realMs === null ? [] : [{ virtualMs, realMs }];
}

function estimate(
  { receivedMs }: Pick<Entry, 'receivedMs'>,
  virtualMs: number,
  known: readonly Anchor[],
): number {
  const at = upperBound(known, virtualMs);
  const before = known
    .slice(Math.max(0, at - 50), at)
    .findLast(({ realMs }) => receivedMs === null || realMs <= receivedMs);
  // The real time of the entry if the clock has run since the previous anchor.
  const ranMs = before ? before.realMs + virtualMs - before.virtualMs : null;
  if (receivedMs !== null) {
    const isLate = ranMs !== null && ranMs <= receivedMs && receivedMs - ranMs < MAX_DELAY_MS;
    return isLate ? ranMs : receivedMs;
  }
  const after = known[at];
  if (ranMs !== null) return after ? Math.min(ranMs, after.realMs) : ranMs;
  return after ? after.realMs - (after.virtualMs - virtualMs) : virtualMs;
}

/**
 * Estimates the time on the service's clock from the anchors, which are sorted by real time. The estimate
 * is not after the next anchor, which the clock has not reached yet.
 */
function toVirtual(realMs: number, anchors: readonly Anchor[]): number {
  const at = upperBound(anchors, realMs, 'realMs');
  const before = anchors[at - 1];
  const after = anchors[at];
  if (!before) return after ? after.virtualMs - (after.realMs - realMs) : realMs;
  const { isFrozen } =
    anchors.findLast((one, index) => index < at && one.isFrozen !== undefined) ?? {};
  const ranMs = isFrozen ? 0 : realMs - before.realMs;
  return Math.min(before.virtualMs + ranMs, after?.virtualMs ?? Infinity);
}

/** Returns the index of the first anchor after the instant, on the clock by which they are sorted. */
function upperBound(
  known: readonly Anchor[],
  ms: number,
  clock: 'virtualMs' | 'realMs' = 'virtualMs',
): number {
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
