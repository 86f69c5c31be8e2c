import type { Entry, EntryKind } from './entry.ts';

/** One moment on both clocks. */
export interface Anchor {
  readonly virtualMs: number;
  readonly realMs: number;
}

/** An entry with its place in real time, which for most of the service's is an estimate. */
export interface PlacedEntry extends Entry {
  readonly placedMs: number;
}

/**
 * Puts what the pages saw (in real time) and what the service did (by its own clock) into one order,
 * oldest first. Both clocks go only forward, so the service's entries keep their order, and moments
 * that are known on both clocks, as each request's is, say where the pages' belong between them.
 */
export function orderEntries(
  entries: readonly Entry[],
  anchors: readonly Anchor[] = [],
): PlacedEntry[] {
  const known = [...anchors, ...entries.flatMap(toAnchor)].sort(
    (a, b) => a.virtualMs - b.virtualMs || a.realMs - b.realMs,
  );
  const service: PlacedEntry[] = [];
  const pages: PlacedEntry[] = [];
  for (const entry of entries) {
    if (entry.virtualMs === null) pages.push({ ...entry, placedMs: entry.realMs ?? 0 });
    else
      service.push({ ...entry, placedMs: entry.realMs ?? estimate(entry, entry.virtualMs, known) });
  }
  service.sort(
    (a, b) =>
      Number(a.virtualMs) - Number(b.virtualMs) ||
      a.placedMs - b.placedMs ||
      RANKS[a.kind] - RANKS[b.kind],
  );
  let latestMs = -Infinity;
  const placed = service.map((entry) => {
    latestMs = Math.max(latestMs, entry.placedMs);
    return { ...entry, placedMs: latestMs };
  });
  pages.sort((a, b) => a.placedMs - b.placedMs);
  return merge(pages, placed);
}

/** Of one instant, the cause comes before what it caused. */
const RANKS: Readonly<Record<EntryKind, number>> = {
  fault: 0,
  request: 1,
  session: 2,
  event: 3,
  delivery: 4,
  endpoint: 5,
  clock: 6,
  sdk: 7,
  callback: 7,
  message: 7,
  page: 7,
  server: 7,
};

/** How late the live stream may tell what happened while the clock ran. */
const LATE_MS = 3_000;

function toAnchor({ virtualMs, realMs }: Entry): Anchor[] {
  return virtualMs === null || realMs === null ? [] : [{ virtualMs, realMs }];
}

function estimate(
  { heardMs }: Pick<Entry, 'heardMs'>,
  virtualMs: number,
  known: readonly Anchor[],
): number {
  const at = upperBound(known, virtualMs);
  const before = known
    .slice(Math.max(0, at - 50), at)
    .findLast(({ realMs }) => heardMs === null || realMs <= heardMs);
  // As if the clock had run since.
  const ranMs = before ? before.realMs + virtualMs - before.virtualMs : null;
  if (heardMs !== null) {
    const isLate = ranMs !== null && ranMs <= heardMs && heardMs - ranMs < LATE_MS;
    return isLate ? ranMs : heardMs;
  }
  const after = known[at];
  if (ranMs !== null) return after ? Math.min(ranMs, after.realMs) : ranMs;
  return after ? after.realMs - (after.virtualMs - virtualMs) : virtualMs;
}

/** The index of the first anchor after the instant. */
function upperBound(known: readonly Anchor[], virtualMs: number): number {
  let low = 0;
  let high = known.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((known[middle]?.virtualMs ?? Infinity) <= virtualMs) low = middle + 1;
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
