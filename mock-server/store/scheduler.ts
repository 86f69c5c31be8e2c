import type { MoveOperation } from './change-kinds.ts';
import { recordChange, recordMove, recordMoveEnd } from './changes.ts';
import {
  clockOffset,
  createSteadyClock,
  endHold,
  holdClock,
  isFrozen,
  type RealClock,
  realDelayMs,
  restartClock,
  shortenHold,
  stopClock,
  virtualNow,
} from './clock.ts';
import { closedError } from './closing.ts';
import type { Change, Db } from './db.ts';
import { createEffects, type Effects } from './effects.ts';
import { ClockError } from './errors.ts';
import { isClockTime, LAST_CLOCK_MS, toIso } from './instant.ts';
import { createDueJobs, type DueJobs, type JobHandler } from './jobs.ts';
import type { Store } from './store.ts';

export type { Effect, JobHandler } from './jobs.ts';

export interface Scheduler {
  /** Updates the agendas. The store must call it for every change to the tables. */
  observe(change: Change): void;
  /** Starts to run due jobs in real time. */
  start(): void;
  /** Starts no more jobs, and waits for clock moves and effects in progress. */
  stop(): Promise<void>;
  /** Runs every job that is due now. Awaits their effects and those already in progress. */
  runDue(): Promise<void>;
  readonly clock: ClockControl;
}

interface SchedulerOptions {
  readonly store: () => Store;
  readonly clock: RealClock;
  readonly handlers: Readonly<Record<string, JobHandler>>;
  /** Interval for finding jobs that other processes or tabs have added. Milliseconds; 0 means never. */
  readonly pollMs: number;
  /** Called with the error of a job, of an effect, or of a round that could not be written. */
  readonly onError: (error: unknown) => void;
  /**
   * Called in a transaction after the computer's clock was set back.
   * @default does nothing
   */
  readonly onSetBack?: (db: Db, nowMs: number) => void;
  /**
   * When it aborts, a clock move ends with an error before its next instant. Effects must then end
   * themselves.
   * @default a signal that never aborts
   */
  readonly closing?: AbortSignal;
}

/** Creates a scheduler, which runs each job when virtual time reaches its due time. */
export function createScheduler(options: SchedulerOptions): Scheduler {
  const { clock: real, pollMs, onError, closing = new AbortController().signal } = options;
  const transact: Store['transact'] = (run) => options.store().transact(run);
  const jobs = createDueJobs(options.handlers);
  const steady = createSteadyClock(real);
  const effects = createEffects(steady, onError);
  const rounds = createRounds({ clock: steady, run: runRound, onError });
  let lastRealMs = -Infinity;

  function noticeSetBack(db: Db): void {
    const realMs = real.now();
    if (realMs < lastRealMs) {
      shortenHold(db, realMs);
      options.onSetBack?.(db, virtualNow(db, realMs));
    }
    lastRealMs = realMs;
  }

  /** Runs the due jobs, starts their effects without awaiting them, and requests the next round. */
  async function runRound(): Promise<void> {
    const due = await transact((db) => {
      noticeSetBack(db);
      const taken = jobs.take(db, virtualNow(db, real.now()));
      const next = jobs.peek(db);
      return { ...taken, delayMs: next ? realDelayMs(db, next.dueMs, real.now()) : null };
    });
    effects.launch(due.effects);
    if (due.delayMs !== null) rounds.scheduleIn(due.delayMs);
    if (pollMs > 0) rounds.scheduleIn(pollMs);
  }

  return {
    observe(change) {
      const isSooner = jobs.observe(change);
      if (isSooner || change[0] === 'clock') rounds.scheduleIn(0);
    },
    start: rounds.start,
    async stop() {
      await rounds.stop();
      await effects.settle();
    },
    async runDue() {
      for (let taken = 1; taken > 0;) {
        const due = await transact((db) => jobs.take(db, virtualNow(db, real.now())));
        taken = due.taken;
        effects.launch(due.effects);
        await effects.settle();
      }
    },
    clock: createClockControl(
      { transact, clock: real, jobs, effects, closing, noticeSetBack },
      rounds.runAlone,
    ),
  };
}

/**
 * Control over virtual time. Clock moves run one after the other. A move runs the jobs of each instant
 * and awaits their effects before it continues with the next instant. It waits for an effect that may
 * hang only for some seconds of real time, and then makes it time out. An effect must not await a clock move,
 * because the move awaits the effect.
 */
export interface ClockControl {
  /** Returns the virtual time, in milliseconds since the epoch. */
  now(): Promise<number>;
  read(): Promise<ClockState>;
  /** Returns the same state as `read`, inside a transaction. */
  peek(db: Db): ClockState;
  freeze(): Promise<ClockState>;
  resume(): Promise<ClockState>;
  /**
   * Moves time forward and runs the jobs that become due, in order.
   * @param ms Milliseconds, integer, 0 or more.
   * @throws {ClockError} if `ms` is invalid or the target is after 1 December 9999.
   */
  advance(ms: number): Promise<ClockState>;
  /**
   * Moves time forward to an instant, in milliseconds since the epoch.
   * @throws {ClockError} if `toMs` is invalid or has passed.
   */
  set(toMs: number): Promise<ClockState>;
  /**
   * Moves time forward to the next job that is not housekeeping, and runs all jobs that are due by then. If
   * there is none, time does not move.
   */
  next(): Promise<ClockState>;
}

export interface ClockState {
  readonly nowMs: number;
  readonly frozen: boolean;
  /** How far the clock is ahead of the computer's. While frozen: at the freeze, plus the moves since then. */
  readonly offsetMs: number;
  /** The due time of the next job that is not housekeeping, or null if there is none. */
  readonly nextDueMs: number | null;
}

/** @param runAlone Runs a step while no round of due jobs runs. Steps run one after the other. */
function createClockControl(parts: ClockParts, runAlone: Rounds['runAlone']): ClockControl {
  const { transact, clock: real, jobs } = parts;
  const moveTo = createClockMove(parts);
  const nowIn = (db: Db): number => virtualNow(db, real.now());

  function readState(db: Db): ClockState {
    const realMs = real.now();
    return {
      nowMs: virtualNow(db, realMs),
      frozen: isFrozen(db),
      offsetMs: clockOffset(db, realMs),
      nextDueMs: jobs.peekAwaited(db)?.dueMs ?? null,
    };
  }

  const move = (operation: MoveOperation, aim: Aim): Promise<ClockState> =>
    runAlone(async () => {
      await moveTo(operation, aim);
      return transact(readState);
    });

  /** Freezes or restarts the clock. A change is recorded only if it was not so before. */
  function setFrozen(frozen: boolean, write: (db: Db) => void): Promise<ClockState> {
    return runAlone(() =>
      transact((db) => {
        const before = isFrozen(db);
        write(db);
        if (before !== frozen)
          recordChange(db, {
            kind: frozen ? 'clock.frozen' : 'clock.resumed',
            values: [{ name: 'frozen', before, after: frozen }],
          });
        return readState(db);
      }),
    );
  }

  return {
    now: () => transact(nowIn),
    read: () => transact(readState),
    peek: readState,
    freeze: () =>
      setFrozen(true, (db) => {
        const realMs = real.now();
        stopClock(db, virtualNow(db, realMs), realMs);
      }),
    resume: () => setFrozen(false, (db) => restartClock(db, real.now())),
    async advance(ms) {
      if (!Number.isSafeInteger(ms) || ms < 0) {
        throw new ClockError(`ms must be an integer of 0 or more, got ${String(ms)}`);
      }
      return move('advance', (_db, nowMs) => assertInstant(nowMs + ms));
    },
    async set(toMs) {
      assertInstant(toMs);
      return move('set', (_db, nowMs) => {
        if (toMs >= nowMs) return toMs;
        throw new ClockError(
          `Time only moves forward: the clock shows ${toIso(nowMs)}, got ${toIso(toMs)}`,
        );
      });
    },
    next: () =>
      move('next', (db, nowMs) =>
        Math.max(nowMs, Math.min(jobs.peekAwaited(db)?.dueMs ?? nowMs, LAST_CLOCK_MS)),
      ),
  };
}

function assertInstant(atMs: number): number {
  if (!isClockTime(atMs)) {
    throw new ClockError(
      `The time must be milliseconds since the epoch, an integer up to ${LAST_CLOCK_MS} (1 December 9999), got ${String(atMs)}`,
    );
  }
  return atMs;
}

/** Returns the target of a clock move that begins at `nowMs`. */
type Aim = (db: Db, nowMs: number) => number;

/** What a clock move works with. */
interface ClockParts {
  readonly transact: Store['transact'];
  readonly clock: RealClock;
  readonly jobs: DueJobs;
  readonly effects: Effects;
  readonly closing: AbortSignal;
  readonly noticeSetBack: (db: Db) => void;
}

/**
 * The interval, in real time, at which a waiting clock move runs jobs that have become due in the meantime.
 */
const POLL_MS = 50;

/**
 * The real time after which a clock move lets requests, timers and signals run. A move over many instants may
 * otherwise never leave the queue of microtasks.
 */
const TURN_MS = 20;

/** Waits for a turn of the event loop. Test runners replace `setTimeout`, but not `MessageChannel`. */
function nextTurn(): Promise<void> {
  // The jsdom environment of a test runner may have none.
  if (typeof MessageChannel === 'undefined') return Promise.resolve();
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    const end = (): void => {
      port1.close();
      resolve();
    };
    port1.addEventListener('message', end, { once: true });
    port1.start();
    port2.postMessage(null);
  });
}

/**
 * Creates a function that moves virtual time, instant by instant, to the target that `aim` returns, and
 * records the move. If time was running before the move, it runs again afterwards. The caller must make
 * only one move at a time, and run no other jobs during it.
 */
function createClockMove({
  transact,
  clock: real,
  jobs,
  effects,
  closing,
  noticeSetBack,
}: ClockParts): (operation: MoveOperation, aim: Aim) => Promise<void> {
  const nowIn = (db: Db): number => virtualNow(db, real.now());

  function stopAt(db: Db, atMs: number, isHold: boolean): void {
    const realMs = real.now();
    const stopMs = Math.max(atMs, virtualNow(db, realMs));
    if (isHold) holdClock(db, stopMs, realMs);
    else stopClock(db, stopMs, realMs);
  }

  /**
   * Moves to the next due job or the target, whichever comes first. Runs the due jobs and waits for their
   * effects.
   * @returns the number of jobs
   */
  async function runInstant(targetMs: number, isHold: boolean): Promise<number> {
    const due = await transact((db) => {
      const nextMs = Math.min(jobs.peek(db)?.dueMs ?? targetMs, targetMs);
      const atMs = Math.max(nextMs, nowIn(db));
      stopAt(db, atMs, isHold);
      return jobs.take(db, atMs);
    });
    effects.launch(due.effects);
    return due.taken + (await awaitEffects());
  }

  /**
   * Waits for the effects in progress. Jobs that become due in the meantime still run.
   * @returns the number of these jobs
   */
  async function awaitEffects(): Promise<number> {
    let taken = 0;
    while (!(await effects.waitFor(POLL_MS))) {
      const due = await transact((db) => jobs.take(db, nowIn(db)));
      effects.launch(due.effects);
      taken += due.taken;
    }
    return taken;
  }

  function assertOpen(): void {
    if (closing.aborted) throw closedError();
  }

  return async (operation, aim) => {
    effects.beginMove();
    await awaitEffects();
    assertOpen();
    const { targetMs, isHold, move } = await transact((db) => {
      noticeSetBack(db);
      const isHold = !isFrozen(db);
      stopAt(db, nowIn(db), isHold);
      // The target is computed from the stopped time, so that the clock moves by exactly the wanted length.
      const fromMs = nowIn(db);
      const targetMs = aim(db, fromMs);
      return { targetMs, isHold, move: recordMove(db, { operation, fromMs, targetMs }) };
    });
    try {
      let turnAtMs = real.now();
      while ((await runInstant(targetMs, isHold)) > 0) {
        assertOpen();
        if (Math.abs(real.now() - turnAtMs) < TURN_MS) continue;
        await nextTurn();
        turnAtMs = real.now();
      }
    } finally {
      await transact((db) => {
        if (move) recordMoveEnd(db, move, nowIn(db));
        if (isHold) endHold(db, real.now());
      });
    }
  };
}

/** Rounds of work, which run in real time, one after the other. No round starts while a step runs alone. */
export interface Rounds {
  start(): void;
  /** Starts no more rounds, and waits for the steps and the round in progress. */
  stop(): Promise<void>;
  /** Requests a round after a delay in milliseconds, unless an earlier one is requested. */
  scheduleIn(ms: number): void;
  /** Runs a step while no round runs. Steps run one after the other, and a round follows each. */
  runAlone<T>(step: () => Promise<T>): Promise<T>;
}

interface RoundsOptions {
  readonly clock: RealClock;
  readonly run: () => Promise<void>;
  /** Called with the error of a failed round. */
  readonly onError: (error: unknown) => void;
}

/** The delay before each retry of a failed round, for example while the disk is full. */
const FAILED_ROUND_MS = 1_000;

function createRounds({ clock, run, onError }: RoundsOptions): Rounds {
  const alarm = createAlarm(clock, round);
  let lastStep: Promise<void> = Promise.resolve();
  let isStarted = false;
  let isStopped = false;
  let running: Promise<void> | null = null;
  let isRoundMissed = false;
  let isAlone = false;

  function round(): void {
    alarm.cancel();
    if (!isStarted || isAlone) return;
    if (running) {
      isRoundMissed = true;
      return;
    }
    isRoundMissed = false;
    running = run()
      .catch((error: unknown) => {
        // Undoing the round has restored its jobs and so requested a round at once. Cancels that request,
        // because a failed round is retried later.
        alarm.cancel();
        scheduleIn(FAILED_ROUND_MS);
        onError(error);
      })
      .finally(() => {
        running = null;
        if (isRoundMissed) round();
      });
  }

  function scheduleIn(ms: number): void {
    if (isStarted && !isAlone) alarm.ringIn(ms);
  }

  async function runStep<T>(step: () => Promise<T>): Promise<T> {
    isAlone = true;
    try {
      await running;
      return await step();
    } finally {
      isAlone = false;
      round();
    }
  }

  return {
    start() {
      // The service may have been closed while it opened.
      isStarted = !isStopped;
      round();
    },
    async stop() {
      isStarted = false;
      isStopped = true;
      alarm.cancel();
      await lastStep;
      await running;
    },
    scheduleIn,
    runAlone(step) {
      const added = lastStep.then(() => runStep(step));
      // A failed step does not stop the next one.
      lastStep = added.then(ignore, ignore);
      return added;
    },
  };
}

function ignore(): void {}

/** Creates a timer that fires once, at the earliest of the requested times. */
function createAlarm(clock: RealClock, ring: () => void) {
  let next: { readonly atMs: number; cancel(): void } | null = null;
  return {
    ringIn(ms: number): void {
      const atMs = clock.now() + ms;
      if (next && next.atMs <= atMs) return;
      next?.cancel();
      next = { atMs, cancel: clock.wakeAt(atMs, ring) };
    },
    cancel(): void {
      next?.cancel();
      next = null;
    },
  };
}
