/**
 * The maximum real time that `advance` waits at each alarm for work in progress, because a receiver may
 * never respond.
 */
const PATIENCE_MS = 1_000;

interface Alarm {
  readonly atMs: number;
  readonly ring: () => void;
}

/** A clock that moves only when `advance` is called. Alarms ring in the order of their times. */
export class Clock {
  #nowMs = Date.now();
  #alarms: Alarm[] = [];
  readonly #work = new Set<Promise<unknown>>();

  now(): number {
    return this.#nowMs;
  }

  /** Sets an alarm. Call the returned function to remove it. */
  at(atMs: number, ring: Alarm['ring']): () => void {
    const alarm = { atMs, ring };
    this.#alarms.push(alarm);
    return () => {
      this.#alarms = this.#alarms.filter((other) => other !== alarm);
    };
  }

  /** Makes `advance` wait for work that takes no time on this clock. */
  hold(work: Promise<unknown>): void {
    this.#work.add(work);
    void work.finally(() => this.#work.delete(work));
  }

  /**
   * Moves the clock forward. Resolves once all alarms up to the new time have rung and their work has
   * finished, or `PATIENCE_MS` is over.
   */
  async advance(ms: number): Promise<void> {
    const target = this.#nowMs + ms;
    await this.#finishWork();
    for (let next = this.#takeNext(target); next; next = this.#takeNext(target)) {
      this.#nowMs = Math.max(next.atMs, this.#nowMs);
      next.ring();
      await this.#finishWork();
    }
    this.#nowMs = Math.max(target, this.#nowMs);
  }

  #takeNext(target: number): Alarm | undefined {
    this.#alarms.sort((a, b) => a.atMs - b.atMs);
    const [next] = this.#alarms;
    return next && next.atMs <= target ? this.#alarms.shift() : undefined;
  }

  async #finishWork(): Promise<void> {
    const patience = new Promise<'over'>((resolve) => {
      setTimeout(resolve, PATIENCE_MS, 'over').unref();
    });
    while (this.#work.size > 0) {
      if ((await Promise.race([Promise.all(this.#work), patience])) === 'over') return;
    }
  }
}
