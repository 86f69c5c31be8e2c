import type { Entry, EntryKind } from './entry.ts';

/** The order of entries at the same instant. A cause comes before its effects. */
const RANKS: readonly EntryKind[] = ['request', 'session', 'event', 'delivery'];

/**
 * Sorts entries by the service's clock, oldest first. While that clock is frozen, many entries have the same
 * time. The computer's clock then decides. The service does not record it for the effects of a request, so
 * they follow their request. The order depends on the entries alone, so that it is the same in every tab.
 */
export function orderEntries(entries: readonly Entry[]): Entry[] {
  const causes = new Map(
    entries.filter(({ kind }) => kind === 'request').map((entry) => [toCauseKey(entry), entry]),
  );
  /** The latest time on the computer's clock that is known for a time of the service. */
  const latest = new Map<number, number>();
  for (const { atMs, realMs } of entries)
    if (realMs !== null) latest.set(atMs, Math.max(realMs, latest.get(atMs) ?? realMs));
  return entries
    .map((entry) => {
      const cause = entry.cause === null ? undefined : causes.get(toCauseKey(entry));
      return { entry, realMs: entry.realMs ?? cause?.realMs ?? latest.get(entry.atMs) ?? 0 };
    })
    .sort(
      (a, b) =>
        a.entry.atMs - b.entry.atMs ||
        a.realMs - b.realMs ||
        rankOf(a.entry) - rankOf(b.entry) ||
        (a.entry.no ?? 0) - (b.entry.no ?? 0),
    )
    .map(({ entry }) => entry);
}

/** Changes come last, because the clock may have been moved from that instant. */
function rankOf({ kind }: Entry): number {
  const rank = RANKS.indexOf(kind);
  return rank < 0 ? RANKS.length : rank;
}

/**
 * Returns the same text for a request and its effects on its session. While the clock is frozen, many
 * requests have the same time.
 */
function toCauseKey({ cause, sessionId, atMs }: Entry): string {
  return `${cause} ${sessionId} ${atMs}`;
}
