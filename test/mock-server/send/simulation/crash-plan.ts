import type { Entry } from '../../../../mock-server/store/log.ts';
import type { Rows } from '../../../../mock-server/store/tables.ts';
import type { Crash } from './scenario.ts';

/** A crash of the scenario, and how long the process is down after it. */
export interface PlannedCrash {
  readonly phase: Crash['phase'] | 'close';
  readonly downMs: number;
}

/** Decides when the process crashes. Each crash of the scenario happens at most once. */
export class CrashPlan {
  readonly #waiting: Set<Crash>;
  readonly #eventsSeen = new Set<string>();
  #pausesSeen = 0;
  /** A crash at the commit that records the outcome of the current attempt. */
  #armed: PlannedCrash | null = null;

  constructor(crashes: readonly Crash[]) {
    this.#waiting = new Set(crashes);
  }

  /**
   * Returns the crash that is planned for this phase of a request, if any. In phase `c4`, plans it for the
   * commit of the outcome instead.
   */
  atAttempt(phase: 'c1' | 'c2' | 'c3' | 'c4', no: number): PlannedCrash | null {
    for (const crash of this.#waiting) {
      if (!('attempt' in crash) || crash.attempt !== no) continue;
      if (phase === 'c4' && (crash.phase === 'c4' || crash.phase === 'c4_before')) {
        this.#waiting.delete(crash);
        this.#armed = { phase: crash.phase, downMs: crash.downMs };
      } else if (crash.phase === phase) {
        this.#waiting.delete(crash);
        return crash;
      }
    }
    return null;
  }

  /** Returns the crash that is planned for this commit, if any. */
  atCommit({ changes }: Entry): PlannedCrash | null {
    if (this.#armed && changes.some(([table, , row]) => table === 'attempts' && isFinished(row))) {
      const crash = this.#armed;
      this.#armed = null;
      return crash;
    }
    for (const [table, id] of changes) {
      if (table === 'events' && !this.#eventsSeen.has(id)) {
        this.#eventsSeen.add(id);
        const crash = this.#take((one) => 'event' in one && one.event === this.#eventsSeen.size);
        if (crash) return crash;
      }
      if (table === 'notices') {
        this.#pausesSeen += 1;
        const crash = this.#take((one) => 'pause' in one && one.pause === this.#pausesSeen);
        if (crash) return crash;
      }
    }
    return null;
  }

  /** Discards the crash at the outcome of the current attempt, after the process has crashed elsewhere. */
  disarm(): void {
    this.#armed = null;
  }

  #take(isWanted: (crash: Crash) => boolean): Crash | null {
    for (const crash of this.#waiting) {
      if (!isWanted(crash)) continue;
      this.#waiting.delete(crash);
      return crash;
    }
    return null;
  }
}

function isFinished(row: object | null): boolean {
  const attempt = row as Rows['attempts'] | null;
  return attempt?.finishedAtMs != null && attempt.outcome !== 'lost';
}
