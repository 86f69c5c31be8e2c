import { DurableRows, groupBy, type Place } from './durable-rows.ts';
import type { Rows } from '../../../../mock-server/store/tables.ts';
import type { Sent } from './sent.ts';
import { AttemptMatcher, type SentAttempt } from './sent-attempts.ts';
import { START_MS, type Trace } from './world.ts';

export const SECOND = 1_000;
export const HOUR = 3_600 * SECOND;
export const DAY = 24 * HOUR;

/** The start or the end of a pause. */
export interface Pause extends Place {
  readonly isPause: boolean;
}

/** The history of a scenario, read from the durable log and the network. */
export class History extends DurableRows {
  readonly attempts: readonly SentAttempt[];
  /** Requests that belong to no attempt of the engine. */
  readonly strays: readonly Sent[];
  readonly #released: ReadonlySet<string>;
  readonly #pauses = new Map<string, readonly Pause[]>();

  constructor(trace: Trace) {
    super(trace);
    this.#released = this.#findReleased();
    ({ attempts: this.attempts, strays: this.strays } = new AttemptMatcher(this));
  }

  /** Returns the attempts of each lane, including tests, in the order in which they were sent. */
  lanes(): SentAttempt[][] {
    return [...groupBy(this.attempts, ({ owner, url }) => `${owner} ${url}`).values()];
  }

  isPausedAt(owner: string, commit: number): boolean {
    return this.configAt(owner, commit)?.pause != null;
  }

  /** Returns the places at which the endpoint's URL was set, changed or removed. */
  moves(owner: string): (Place & { readonly from: string | null; readonly to: string | null })[] {
    const list = this.configs.get(owner) ?? [];
    return list.flatMap(({ row, ...place }, at) => {
      const from = list[at - 1]?.row?.url ?? null;
      const to = row?.url ?? null;
      return from === to ? [] : [{ ...place, from, to }];
    });
  }

  /** Returns the starts and ends of pauses. A deletion ends a pause as well. */
  pauses(owner: string): readonly Pause[] {
    const known = this.#pauses.get(owner);
    if (known) return known;
    let was = false;
    const found = (this.configs.get(owner) ?? []).flatMap(({ row, ...place }) => {
      const isPause = row?.pause != null;
      if (isPause === was) return [];
      was = isPause;
      return [{ ...place, isPause }];
    });
    this.#pauses.set(owner, found);
    return found;
  }

  resumes(owner: string): Place[] {
    return this.pauses(owner).filter(({ isPause }) => !isPause);
  }

  /**
   * Returns the time at which the first attempt of an event was written, for any endpoint. A crash may come
   * before its request is sent.
   */
  firstClaimMs(eventId: string): number | undefined {
    const [first] = [...this.claims]
      .flatMap(([id, claims]) => (this.lastOf(id).eventId === eventId ? claims : []))
      .sort((a, b) => a.place.order - b.place.order);
    return first?.place.atMs;
  }

  /**
   * Returns the attempts that a closing process has released. In the same millisecond it may have started, and
   * have given up what a crash had left.
   */
  #findReleased(): ReadonlySet<string> {
    const { log, crashes } = this.trace;
    const released = new Set<string>();
    for (const { atMs, process, changes } of log) {
      const end = crashes[process];
      if (end?.phase !== 'close' || end.atMs !== atMs) continue;
      const rowsOf = <T extends 'attempts' | 'deliveries'>(name: T) =>
        changes.flatMap(([table, , row]) => (table === name && row ? [row as Rows[T]] : []));
      const givenUp = rowsOf('deliveries').filter(({ reason }) => reason === 'lost');
      for (const { id, outcome, deliveryId } of rowsOf('attempts')) {
        if (outcome === 'lost' && !givenUp.some((delivery) => delivery.id === deliveryId))
          released.add(id);
      }
    }
    return released;
  }

  /**
   * Tells whether an attempt of a delivery, optionally before a place, never had a recorded outcome because
   * of a crash.
   */
  wasCutShort(id: string, before?: Place): boolean {
    const claims = this.claims.get(id) ?? [];
    return claims.some(
      (claim) =>
        !this.records.has(claim.id) &&
        !this.#released.has(claim.id) &&
        (!before || claim.place.order < before.order),
    );
  }

  isDownAt(atMs: number): boolean {
    return this.trace.crashes.some((crash) => crash.atMs <= atMs && atMs < crash.upMs);
  }

  formatTime(ms: number): string {
    return `${((ms - START_MS) / SECOND).toFixed(3)} s`;
  }
}
