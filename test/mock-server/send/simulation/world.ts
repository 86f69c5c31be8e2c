import { takeOverDeliveries } from '../../../../mock-server/rules/deliveries.ts';
import {
  createSession,
  createSessionJobs,
  settleSession,
} from '../../../../mock-server/rules/sessions.ts';
import {
  createDeliveryJobs,
  createWebhookTester,
  type WebhookTester,
} from '../../../../mock-server/send/engine.ts';
import type { Db, Moment, RowChange } from '../../../../mock-server/store/db.ts';
import type { Entry, Log } from '../../../../mock-server/store/log.ts';
import { createSeededRandom } from '../../../../mock-server/store/random.ts';
import { createScheduler } from '../../../../mock-server/store/scheduler.ts';
import { createStore, type Store } from '../../../../mock-server/store/store.ts';
import type { Rows, TableName } from '../../../../mock-server/store/tables.ts';
import { CrashPlan, type PlannedCrash } from './crash-plan.ts';
import { createNetwork, signSynchronously, type SenderProcess, type Network } from './network.ts';
import { Operator } from './operator.ts';
import { segmentsOf } from './receivers.ts';
import type { Operation, Scenario } from './scenario.ts';
import { createSimClock, type SimClock } from './sim-clock.ts';

export const START_MS = Date.UTC(2026, 0, 1);

/** The changes of one commit, and when they became durable. */
export interface Durable {
  readonly atMs: number;
  /** The number of the process that wrote it, from 0. */
  readonly process: number;
  readonly changes: readonly RowChange[];
}

/** An operation that was performed, and its result. */
export interface Operated {
  readonly operation: Operation;
  readonly atMs: number;
  readonly endpointId: string;
  /** The result of the operation, or its error. Null until it has ended, which a crash may prevent. */
  result: unknown;
}

/** Everything that can be observed of one scenario from outside. */
export interface Trace {
  readonly scenario: Scenario;
  readonly endMs: number;
  readonly sent: Network['sent'];
  readonly log: readonly Durable[];
  readonly crashes: readonly { atMs: number; upMs: number; phase: string }[];
  readonly operations: readonly Operated[];
  /** The session changes, each with its start and end. */
  readonly transitions: readonly { beganMs: number; endMs: number }[];
  /** The number of undelivered events of each endpoint at the end, as reported by the service. */
  readonly undelivered: readonly { endpointId: string; count: number }[];
  readonly errors: readonly unknown[];
  rows<T extends TableName>(table: T): Rows[T][];
}

/** The limit stops an engine that never stops sending. The longest scenario needs far fewer requests. */
const MOST_REQUESTS = 5_000;

/** One in so many crashes during a request is an ordinary close instead. */
const CLOSE_EVERY = 3;

/** Runs a scenario with the real engine and rules, on a simulated clock and network. */
export async function play(scenario: Scenario, mostRequests = MOST_REQUESTS): Promise<Trace> {
  const clock = createSimClock(START_MS, () => {
    if (network.sent.length > mostRequests)
      throw new Error(`P5: ${mostRequests} requests without an end`);
  });
  const network = createNetwork(clock, START_MS, (url) => segmentsOf(scenario, url));
  const world = new World(scenario, clock, network);
  await world.run();
  return world.trace();
}

interface Process extends SenderProcess {
  readonly store: Store;
  readonly tester: WebhookTester;
  isAlive: boolean;
}

class World {
  readonly #scenario: Scenario;
  readonly #clock: SimClock;
  readonly #network: Network;
  readonly #log: Durable[] = [];
  readonly #crashes: { atMs: number; upMs: number; phase: string }[] = [];
  readonly #operations: Operated[] = [];
  readonly #transitions: { beganMs: number; endMs: number }[] = [];
  #undelivered: { endpointId: string; count: number }[] = [];
  readonly #errors: unknown[] = [];
  /** Random source for sessions and events. Attempts have a separate one to keep endpoints independent. */
  readonly #random;
  readonly #attemptRandom;
  readonly #plan: CrashPlan;
  #process: Process | null = null;
  readonly #operator: Operator;

  constructor(scenario: Scenario, clock: SimClock, network: Network) {
    this.#scenario = scenario;
    this.#clock = clock;
    this.#network = network;
    this.#random = createSeededRandom(scenario.seed);
    this.#attemptRandom = createSeededRandom(scenario.seed + 1_000_000_007);
    this.#plan = new CrashPlan(scenario.crashes);
    this.#operator = new Operator(scenario, () => this.#moment());
  }

  async run(): Promise<void> {
    const { sessions, operations, endMs } = this.#scenario;
    this.#start();
    if (this.#process) await this.#operator.setUp(this.#process.store);
    for (const plan of sessions) {
      this.#at(plan.atMs, async ({ store }) => {
        const id = await this.#transition(store, (db) => {
          const pairId =
            plan.tenant === 1 ? this.#operator.pairs[2] : this.#operator.pairs[plan.pair];
          const tenant = db.get('tenants', this.#operator.tenants[plan.tenant] ?? '');
          const key = db.find('keys', 'pairId', pairId).find(({ kind }) => kind === 'secret');
          if (!tenant || !key) throw new Error('The scenario is not set up');
          const input = { returnUrl: 'http://localhost/', externalUserId: 'ann"é' };
          return createSession(db, { key, tenant }, input, this.#moment()).id;
        });
        const { end } = plan;
        if (!end) return;
        this.#at(plan.atMs + end.afterMs, async (process) => {
          await this.#transition(process.store, (db) =>
            settleSession(db, id, end.scenario as 'verified', this.#moment()),
          );
        });
      });
    }
    for (const operation of operations) {
      this.#at(operation.atMs, async (process) => {
        const endpointId = this.#operator.idOf(operation.endpoint);
        const operated: Operated = {
          operation,
          atMs: this.#clock.now(),
          endpointId,
          result: null,
        };
        this.#operations.push(operated);
        operated.result = await this.#operator
          .operate(process, operation)
          .catch((error: unknown) => error);
      });
    }
    // Runs to the end of the scenario, and for at least a minute after the last restart.
    for (let untilMs = START_MS + endMs; this.#clock.now() < untilMs;) {
      await this.#clock.runUntil(untilMs);
      untilMs = Math.max(untilMs, (this.#crashes.at(-1)?.upMs ?? 0) + 60_000);
    }
    await this.#process?.store.transact((db) => {
      this.#undelivered = [
        ...this.#operator.endpoints.map(({ id }) => id),
        ...this.#operator.tenants,
      ].map((id) => ({
        endpointId: id,
        count: db.size('undelivered', id),
      }));
    });
  }

  trace(): Trace {
    const last = new Map<string, Map<string, object>>();
    for (const { changes } of this.#log) {
      for (const [table, id, row] of changes) {
        const rows = last.get(table) ?? new Map<string, object>();
        last.set(table, rows);
        if (row) rows.set(id, row);
        else rows.delete(id);
      }
    }
    return {
      scenario: this.#scenario,
      endMs: this.#clock.now(),
      sent: this.#network.sent,
      log: this.#log,
      crashes: this.#crashes,
      operations: this.#operations,
      transitions: this.#transitions,
      undelivered: this.#undelivered,
      errors: this.#errors,
      rows: <T extends TableName>(table: T) => [...(last.get(table) ?? []).values()] as Rows[T][],
    };
  }

  async #transition<T>(store: Store, run: (db: Db) => T): Promise<T> {
    const beganMs = this.#clock.now();
    const value = await store.transact(run);
    this.#transitions.push({ beganMs, endMs: this.#clock.now() });
    return value;
  }

  #moment(): Moment {
    return { nowMs: this.#clock.now(), random: this.#random };
  }

  /** Runs `act` at the given time if the service is running then. */
  #at(afterMs: number, act: (process: Process) => Promise<unknown>): void {
    this.#clock.wakeAt(START_MS + afterMs, () => {
      const process = this.#process;
      if (!process) return;
      act(process).catch((error: unknown) => this.#errors.push(error));
    });
  }

  #start(): void {
    const clock = this.#clock;
    const no = this.#crashes.length;
    const closing = new AbortController();
    const process: Process = {
      no,
      isAlive: true,
      store: createStore(
        this.#createLog(no, () => process.isAlive),
        { clock, onChange: (change) => scheduler.observe(change) },
      ),
      tester: createWebhookTester({
        transact: (run) => process.store.transact(run),
        momentIn: () => ({ nowMs: clock.now(), random: this.#attemptRandom }),
        clock,
        sender: { send: (request) => sender.send(request) },
        sign: signSynchronously,
        closing: closing.signal,
      }),
      reach: (phase, no) => {
        const isRunning = process.isAlive && !closing.signal.aborted;
        const crash = isRunning ? this.#plan.atAttempt(phase, no) : null;
        if (!crash) return;
        if ((this.#scenario.seed + no) % CLOSE_EVERY !== 0) return this.#crash(crash);
        // Closes in an ordinary way: what is in flight is released before the process ends.
        void scheduler.stop();
        closing.abort();
        clock.wakeAt(clock.now(), () => this.#crash({ ...crash, phase: 'close' }));
      },
    };
    const sender = this.#network.senderOf(process);
    const scheduler = createScheduler({
      store: () => process.store,
      clock: {
        now: clock.now,
        wakeAt: (atMs, wake) => clock.wakeAt(atMs, () => process.isAlive && wake()),
      },
      pollMs: 0,
      onError: (error) => this.#errors.push(error),
      handlers: {
        ...createSessionJobs(this.#random),
        ...createDeliveryJobs({
          store: () => process.store,
          clock,
          random: this.#attemptRandom,
          sender,
          sign: signSynchronously,
          closing: closing.signal,
        }),
      },
    });
    this.#process = process;
    void process.store
      .transact((db) =>
        takeOverDeliveries(db, { isShared: this.#scenario.isShared, nowMs: clock.now() }),
      )
      .then(() => scheduler.start());
  }

  #createLog(no: number, isAlive: () => boolean): Log {
    let seen = 0;
    const never = new Promise<never>(() => {});
    return {
      isShared: this.#scenario.isShared,
      commit: (batch) => {
        if (!isAlive()) return never;
        for (; seen < this.#log.length; seen += 1) batch.apply(this.#log[seen] as Entry);
        const entry = batch.run();
        if (!entry) return Promise.resolve();
        const crash = this.#plan.atCommit(entry);
        if (crash?.phase.endsWith('before')) {
          this.#crash(crash);
          return never;
        }
        this.#log.push({ atMs: this.#clock.now(), process: no, changes: entry.changes });
        seen += 1;
        if (!crash) return Promise.resolve();
        this.#crash(crash);
        return never;
      },
      close: () => Promise.resolve(),
    };
  }

  #crash(crash: PlannedCrash): void {
    const atMs = this.#clock.now();
    this.#crashes.push({ atMs, upMs: atMs + crash.downMs, phase: crash.phase });
    for (const sent of this.#network.sent) {
      if (sent.endMs !== null) continue;
      sent.isOrphan = true;
      // The operating system closes a dead process's sockets. In a scenario with a shared log, the process
      // may only be suspended, so its requests continue.
      if (!this.#scenario.isShared) sent.endMs = atMs;
    }
    if (this.#process) this.#process.isAlive = false;
    this.#process = null;
    this.#plan.disarm();
    this.#clock.wakeAt(atMs + crash.downMs, () => this.#start());
  }
}
