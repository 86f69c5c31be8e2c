import type { Change, Db } from '../../../../mock-server/core/db.ts';
import type { Entry, Log } from '../../../../mock-server/core/log.ts';
import { createSeededRandom } from '../../../../mock-server/core/random.ts';
import { createScheduler } from '../../../../mock-server/core/scheduler.ts';
import { createStore, type Store } from '../../../../mock-server/core/store.ts';
import type { EventKind, Rows, TableName } from '../../../../mock-server/core/tables.ts';
import { createDeliveryJobs } from '../../../../mock-server/delivery/engine.ts';
import {
  createWebhookTester,
  type WebhookTester,
} from '../../../../mock-server/delivery/webhook-tester.ts';
import {
  createEndpoint,
  deleteEndpoint,
  updateEndpoint,
} from '../../../../mock-server/webhooks/endpoints.ts';
import { createKeyPair } from '../../../../mock-server/accounts/keys.ts';
import {
  deleteLegacyWebhook,
  migrateLegacyWebhook,
  putLegacyWebhook,
} from '../../../../mock-server/webhooks/legacy-webhook.ts';
import type { Moment } from '../../../../mock-server/core/moment.ts';
import { redeliver } from '../../../../mock-server/webhooks/redelivery.ts';
import { createSessionJobs } from '../../../../mock-server/sessions/session-jobs.ts';
import { settleSession } from '../../../../mock-server/sessions/session-life.ts';
import { createSession } from '../../../../mock-server/sessions/sessions.ts';
import { takeOverDeliveries } from '../../../../mock-server/webhooks/start-up.ts';
import { createTenant } from '../../../../mock-server/accounts/tenants.ts';
import { createNetwork, sealNow, type Holder, type Network } from './network.ts';
import type { Crash, EndpointPlan, Operation, Scenario, Segment } from './scenario.ts';
import { createSimClock, type SimClock } from './sim-clock.ts';

export const START_MS = Date.UTC(2026, 0, 1);

/** What one commit changed, and when it was durable. */
export interface Durable {
  readonly atMs: number;
  /** The how-manieth process wrote it, from 0. */
  readonly process: number;
  readonly changes: readonly Change[];
}

/** What an operator did. */
export interface Operated {
  readonly operation: Operation;
  readonly atMs: number;
  readonly endpointId: string;
  /** Null while it has not come to an end, which a crash may keep it from. */
  result: unknown;
}

/** Everything that an outsider saw of one scenario. */
export interface Trace {
  readonly scenario: Scenario;
  readonly endMs: number;
  readonly sent: Network['sent'];
  readonly log: readonly Durable[];
  readonly crashes: readonly { atMs: number; upMs: number; phase: string }[];
  readonly operations: readonly Operated[];
  /** Changes of sessions, and how long each took. */
  readonly transitions: readonly { beganMs: number; endMs: number }[];
  /** What the service says at the end that each endpoint has not got. */
  readonly undelivered: readonly { endpointId: string; count: number }[];
  readonly errors: readonly unknown[];
  rows<T extends TableName>(table: T): Rows[T][];
}

/** Several times what the longest scenario takes: an engine that sends without end is stopped here. */
const MOST_REQUESTS = 5_000;

const HOOK: Record<'ok', readonly Segment[]> = {
  ok: [{ fromMs: 0, behaviour: { kind: 'status', status: 204, delayMs: 3 } }],
};

/** Runs a scenario over the real engine and rules, on time and a network of our own. */
export async function play(scenario: Scenario): Promise<Trace> {
  const clock = createSimClock(START_MS, () => {
    if (network.sent.length > MOST_REQUESTS)
      throw new Error(`P5: ${MOST_REQUESTS} requests, and no end in sight`);
  });
  const network = createNetwork(clock, START_MS, (url) => segmentsOf(scenario, url));
  const world = new World(scenario, clock, network);
  await world.run();
  return world.trace();
}

/** `e0-1` is the second address of the first endpoint. */
export function toUrl(name: string, address: number): string {
  return `https://${name}-${address}.shop.example/hook`;
}

function segmentsOf({ endpoints, legacy }: Scenario, url: string): readonly Segment[] {
  const [, name = '', address = '0'] = /^https:\/\/(\w+)-(\d)\./.exec(url) ?? [];
  const plan = name === 'legacy' ? legacy : endpoints[Number(name.slice(1))];
  return plan?.segments[address === '1' ? 1 : 0] ?? HOOK.ok;
}

interface Process extends Holder {
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
  /** Of sessions and events; attempts have their own, so that one endpoint's change no ids of another's. */
  readonly #random;
  readonly #attemptRandom;
  readonly #waiting: Set<Crash>;
  #process: Process | null = null;
  readonly #eventsSeen = new Set<string>();
  #pausesSeen = 0;
  #armed: { phase: 'c4' | 'c4_before'; downMs: number } | null = null;
  readonly tenants: string[] = [];
  readonly pairs: string[] = [];
  /** Ids by plan; the address that each has now. */
  readonly endpoints: { id: string; name: string; address: number }[] = [];

  constructor(scenario: Scenario, clock: SimClock, network: Network) {
    this.#scenario = scenario;
    this.#clock = clock;
    this.#network = network;
    this.#random = createSeededRandom(scenario.seed);
    this.#attemptRandom = createSeededRandom(scenario.seed + 1_000_000_007);
    this.#waiting = new Set(scenario.crashes);
  }

  async run(): Promise<void> {
    const { sessions, operations, endMs } = this.#scenario;
    this.#start();
    await this.#setUp();
    for (const plan of sessions) {
      this.#at(plan.atMs, async ({ store }) => {
        const id = await this.#transition(store, (db) => {
          const pairId = plan.tenant === 1 ? this.pairs[2] : this.pairs[plan.pair];
          const tenant = db.get('tenants', this.tenants[plan.tenant] ?? '');
          const key = db.find('keys', 'pairId', pairId).find(({ kind }) => kind === 'secret');
          if (!tenant || !key) throw new Error('The scene is not set');
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
        const endpointId = this.endpoints[operation.endpoint]?.id ?? this.tenants[0]!;
        const operated: Operated = {
          operation,
          atMs: this.#clock.now(),
          endpointId,
          result: null,
        };
        this.#operations.push(operated);
        operated.result = await this.#operate(process, operation).catch((error: unknown) => error);
      });
    }
    // A day after the last thing that was done, and a minute after the last restart, all is settled.
    for (let untilMs = START_MS + endMs; this.#clock.now() < untilMs;) {
      await this.#clock.runUntil(untilMs);
      untilMs = Math.max(untilMs, (this.#crashes.at(-1)?.upMs ?? 0) + 60_000);
    }
    await this.#process?.store.transact((db) => {
      this.#undelivered = [...this.endpoints.map(({ id }) => id), ...this.tenants].map((id) => ({
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

  /** Does something at an instant, if the service runs then. */
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
    const process: Process = {
      no,
      isAlive: true,
      store: createStore(
        this.#createLog(no, () => process.isAlive),
        (change) => scheduler.observe(change),
      ),
      tester: createWebhookTester({
        transact: (run) => process.store.transact(run),
        momentIn: () => ({ nowMs: clock.now(), random: this.#attemptRandom }),
        clock,
        sender: { send: (request) => sender.send(request) },
        seal: sealNow,
      }),
      reach: (phase, no) => {
        for (const crash of this.#waiting) {
          // It dies once, whatever else was planned for the same place.
          if (!process.isAlive) return;
          if (!('attempt' in crash) || crash.attempt !== no) continue;
          if (phase === 'c4' && (crash.phase === 'c4' || crash.phase === 'c4_before')) {
            this.#waiting.delete(crash);
            this.#armed = { phase: crash.phase, downMs: crash.downMs };
          } else if (crash.phase === phase) this.#crash(crash);
        }
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
          seal: sealNow,
        }),
      },
    });
    this.#process = process;
    void process.store
      .transact((db) => takeOverDeliveries(db, !this.#scenario.isShared, clock.now()))
      .then(() => scheduler.start());
  }

  #createLog(no: number, isAlive: () => boolean): Log {
    let seen = 0;
    const never = new Promise<never>(() => {});
    return {
      commit: (turn) => {
        if (!isAlive()) return never;
        for (; seen < this.#log.length; seen += 1) turn.apply(this.#log[seen] as Entry);
        const entry = turn.run();
        if (!entry) return Promise.resolve();
        const crash = this.#crashAt(entry);
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

  /** The crash that a commit is the place of. */
  #crashAt({ changes }: Entry): { phase: Crash['phase']; downMs: number } | null {
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

  #take(isWanted: (crash: Crash) => boolean): Crash | null {
    for (const crash of this.#waiting) {
      if (!isWanted(crash)) continue;
      this.#waiting.delete(crash);
      return crash;
    }
    return null;
  }

  #crash(crash: { phase: Crash['phase']; downMs: number }): void {
    this.#waiting.delete(crash as Crash);
    const atMs = this.#clock.now();
    this.#crashes.push({ atMs, upMs: atMs + crash.downMs, phase: crash.phase });
    for (const sent of this.#network.sent) {
      if (sent.endMs !== null) continue;
      sent.isOrphan = true;
      // The operating system closes a dead process's sockets. A holder that others have given up on may
      // only be asleep, and its requests go on.
      if (!this.#scenario.isShared) sent.endMs = atMs;
    }
    if (this.#process) this.#process.isAlive = false;
    this.#process = null;
    this.#armed = null;
    this.#clock.wakeAt(atMs + crash.downMs, () => this.#start());
  }

  async #setUp(): Promise<void> {
    const { endpoints, legacy, timeoutAttempts } = this.#scenario;
    await this.#process?.store.transact((db) => {
      const moment = this.#moment();
      for (let n = 0; n < 2; n += 1) {
        const { id } = createTenant(db, { timeoutAttempts }, moment);
        this.tenants.push(id);
        this.pairs.push(createKeyPair(db, id, moment).pairId);
        if (n === 0) this.pairs.push(createKeyPair(db, id, moment).pairId);
      }
      for (const [n, plan] of endpoints.entries()) this.#addEndpoint(db, `e${n}`, plan, 0);
      if (legacy) {
        const { events, isSigned } = legacy;
        const secret = isSigned ? 'legacy secret' : null;
        const input = { url: toUrl('legacy', 0), events: events as EventKind[], secret };
        putLegacyWebhook(db, this.tenants[0]!, input, moment);
      }
      this.#addEndpoint(db, 'other', { events: ALL, isSigned: true, isScoped: false }, 1);
    });
  }

  #addEndpoint(
    db: Db,
    name: string,
    plan: Pick<EndpointPlan, 'events' | 'isSigned' | 'isScoped'>,
    tenant: number,
  ): string {
    const events = plan.events.length > 0 ? plan.events : ALL;
    const { id } = createEndpoint(
      db,
      this.tenants[tenant]!,
      {
        url: toUrl(name, 0),
        events: events as EventKind[],
        secret: plan.isSigned ? `secret of ${name}` : null,
        pairId: plan.isScoped ? this.pairs[1]! : null,
        enabled: true,
      },
      this.#moment(),
    );
    if (tenant === 0) this.endpoints.push({ id, name, address: 0 });
    return id;
  }

  async #operate({ store, tester }: Process, { kind, endpoint }: Operation): Promise<unknown> {
    const known = this.endpoints[endpoint];
    const id = known?.id ?? this.tenants[0]!;
    const nowMs = this.#clock.now();
    const update = (change: Parameters<typeof updateEndpoint>[2]) =>
      store.transact((db) => updateEndpoint(db, id, change, nowMs));
    switch (kind) {
      case 'disable':
        return update({ enabled: false });
      case 'enable':
        return update({ enabled: true });
      case 'secret':
        return update({ secret: `secret of ${nowMs}` });
      case 'move':
        if (!known) return null;
        known.address = 1 - known.address;
        return update({ url: toUrl(known.name, known.address) });
      case 'delete':
        return store.transact((db) => deleteEndpoint(db, id, nowMs));
      case 'test':
      case 'resume':
        return tester.test(id, { isResume: kind === 'resume' });
      case 'redeliver':
        return store.transact((db) => redeliver(db, id, nowMs));
      case 'add':
        return store.transact((db) =>
          this.#addEndpoint(
            db,
            `n${this.endpoints.length}`,
            { events: ALL, isSigned: true, isScoped: false },
            0,
          ),
        );
      case 'legacy_put': {
        const input = { url: toUrl('legacy', 1), events: ALL };
        return store.transact((db) =>
          putLegacyWebhook(db, this.tenants[0]!, input, this.#moment()),
        );
      }
      case 'legacy_delete':
        return store.transact((db) => deleteLegacyWebhook(db, this.tenants[0]!, nowMs));
      case 'legacy_migrate':
        return store.transact((db) => {
          const created = migrateLegacyWebhook(db, this.tenants[0]!, this.#moment());
          const address = created.url.includes('-1.') ? 1 : 0;
          this.endpoints.push({ id: created.id, name: 'legacy', address });
          return created;
        });
    }
  }
}

const ALL: EventKind[] = [
  'session.started',
  'verification.completed',
  'verification.failed',
  'verification.cancelled',
  'session.timeout',
];

function isFinished(row: object | null): boolean {
  const attempt = row as Rows['attempts'] | null;
  return attempt?.finishedAtMs != null && attempt.outcome !== 'lost';
}
