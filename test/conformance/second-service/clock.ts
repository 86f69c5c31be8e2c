/** Creates a clock that moves only when `advance` is called. */
export function createClock() {
  let nowMs = Date.now();
  let alarms: { atMs: number; ring: () => void }[] = [];
  return {
    now: () => nowMs,
    /** Calls `ring` when the clock reaches a time. */
    at(atMs: number, ring: () => void): void {
      alarms.push({ atMs, ring });
    },
    async advance(ms: number): Promise<void> {
      nowMs += ms;
      const due = alarms.filter(({ atMs }) => atMs <= nowMs);
      alarms = alarms.filter(({ atMs }) => atMs > nowMs);
      for (const { ring } of due) ring();
    },
  };
}
