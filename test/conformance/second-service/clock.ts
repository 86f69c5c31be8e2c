/** The real time for which a move waits for work in progress, because a receiver may never answer. */
const PATIENCE_MS = 1_000;

interface Alarm {
  readonly atMs: number;
  readonly ring: () => void;
}

/** A clock that follows real time and can be moved forward. Alarms ring in the order of their times. */
export class Clock {
  #offsetMs = 0;
  #alarms: Alarm[] = [];
  #timer: NodeJS.Timeout | undefined;
  readonly #work = new Set<Promise<unknown>>();

  now(): number {
    return Date.now() + this.#offsetMs;
  }

  /** Sets an alarm. Call the returned function to remove it. */
  at(atMs: number, ring: Alarm['ring']): () => void {
    const alarm = { atMs, ring };
    this.#alarms.push(alarm);
    this.#alarms.sort((a, b) => a.atMs - b.atMs);
    this.#wind();
    return () => {
      this.#alarms = this.#alarms.filter((other) => other !== alarm);
    };
  }

  /** Makes moves of the clock wait for work that takes no time by this clock. */
  hold(work: Promise<unknown>): void {
    this.#work.add(work);
    void work.finally(() => this.#work.delete(work));
  }

  /** Moves the clock forward and settles when all work of the alarms on the way has finished. */
  async advance(ms: number): Promise<void> {
    const target = this.now() + ms;
    await this.#finishWork();
    for (let next = this.#alarms[0]; next && next.atMs <= target; next = this.#alarms[0]) {
      this.#alarms.shift();
      this.#set(Math.max(next.atMs, this.now()));
      next.ring();
      await this.#finishWork();
    }
    this.#set(Math.max(target, this.now()));
    this.#wind();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#alarms = [];
  }

  #set(timeMs: number): void {
    this.#offsetMs = timeMs - Date.now();
  }

  async #finishWork(): Promise<void> {
    const patience = sleep(PATIENCE_MS).then(() => 'over' as const);
    while (this.#work.size > 0) {
      if ((await Promise.race([Promise.all(this.#work), patience])) === 'over') return;
    }
  }

  #wind(): void {
    clearTimeout(this.#timer);
    const [next] = this.#alarms;
    if (!next) return;
    const ring = () => void this.advance(0);
    this.#timer = setTimeout(ring, Math.max(next.atMs - this.now(), 0)).unref();
  }
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });
}
