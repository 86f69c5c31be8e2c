import { API_ORIGIN, VERIFY_URL } from './brand.ts';
import type { ServiceClock } from './control/clock.ts';
import type { Control } from './control/control.ts';
import { createLive } from './control/live.ts';
import { toClockReading } from './control/resources.ts';
import { systemClock } from './core/clock.ts';
import type { Db } from './core/db.ts';
import { createSeededRandom, systemRandom, toUuid } from './core/random.ts';
import { createScheduler } from './core/scheduler.ts';
import { createStore, type Transaction } from './core/store.ts';
import { checkNewDestination, type Destination } from './delivery/destination.ts';
import { createDeliveryJobs } from './delivery/engine.ts';
import { createFetchSender } from './delivery/fetch-sender.ts';
import { createWebhookTester } from './delivery/webhook-tester.ts';
import { createApp } from './http/app.ts';
import { createControlGate } from './http/control-gate.ts';
import { momentOf, type ServiceHost } from './http/host.ts';
import { createRequestRecorder } from './http/request-recorder.ts';
import { createTokenSigner } from './http/session-tokens.ts';
import { createMemoryLog } from './logs/memory.ts';
import { createClock, createControl, createRunOperation } from './operations/run-operation.ts';
import {
  forgetAll,
  readDemo,
  seedDemo,
  toSameDemo,
  type Demo,
  type DemoSeed,
} from './accounts/demo.ts';
import {
  ensureSigningKey,
  readSigningKey,
  SIGNING_KEY_ID,
  startClock,
} from './accounts/first-state.ts';
import { createSessionJobs } from './sessions/session-jobs.ts';
import { takeOverDeliveries } from './webhooks/start-up.ts';
import { toSeed } from './seed-input.ts';
import { assertServiceOptions, type ServiceOptions } from './service-options.ts';

export type { DemoTenant } from './seed-input.ts';
export type { ServiceOptions } from './service-options.ts';

/** The whole provider as one object. It does nothing, and starts no timer, before it is first used. */
export interface MockService {
  /** Answers a request by its path, whatever its origin. */
  fetch(request: Request): Promise<Response>;
  readonly clock: ServiceClock;
  readonly control: Control;
  /** The keys of the account that the state begins with. */
  readonly ready: Promise<Demo>;
  readonly apiOrigin: string;
  /** Stops timers, waits for what is under way, and lets go of the log. */
  close(): Promise<void>;
}

/**
 * Creates the whole provider as one object, without handlers for MSW: `fetch` answers its requests.
 * Connects the core, the rules, the delivery and HTTP.
 *
 * @param options Where state lasts, what the first account looks like, where webhooks go.
 * @returns The service; it does nothing before it is first used.
 * @example
 * ```ts
 * import { createMockService } from 'ofage/mock/node';
 *
 * const service = createMockService({ clock: { frozen: true } });
 * const { secretKey } = await service.ready;
 * const answer = await service.fetch(
 *   new Request('https://api.ofage.example/api/v1/sessions/create', {
 *     method: 'POST',
 *     headers: { authorization: `Bearer ${secretKey}`, 'content-type': 'application/json' },
 *     body: JSON.stringify({ returnUrl: 'http://localhost:3000/return' }),
 *   }),
 * );
 * console.assert(answer.status === 201);
 * ```
 * @throws {TypeError} when there is no such option, or a value is not as it must be.
 * @throws {RangeError} when `seed` or `clock.now` is.
 */
export function createMockService(options: ServiceOptions = {}): MockService {
  const { apiOrigin = API_ORIGIN, verifyUrl = VERIFY_URL, onError = () => {} } = options;
  const real = options.realClock ?? systemClock;
  assertServiceOptions(options);
  const random = options.seed === undefined ? systemRandom : createSeededRandom(options.seed);
  const allowLoopback = options.allowLoopbackWebhooks ?? false;
  const sender = options.sender ?? createFetchSender({ allowLoopback });

  const live = createLive(
    () => toUuid(systemRandom),
    (db) => toClockReading(scheduler.clock.peek(db)),
  );
  const tellReload = (): void => live.publish('reload', () => null);
  let signingKey = '';
  const store = createStore(
    options.log ?? createMemoryLog(),
    (change) => {
      scheduler.observe(change);
      signingKey = readSigningKey(change) ?? signingKey;
    },
    live.observe,
    onError,
  );
  const requests = createRequestRecorder(store, real, onError);
  const pollMs = options.pollMs ?? (options.log ? 1000 : 0);
  const delivery = { store: () => store, clock: real, random, sender };
  const scheduler = createScheduler({
    store: () => store,
    clock: real,
    pollMs,
    onError,
    handlers: { ...createSessionJobs(random), ...createDeliveryJobs(delivery) },
  });
  const momentIn = (db: Db) => momentOf({ clock: real, random }, db);
  const judgeDestination = (url: string): Promise<Destination> =>
    checkNewDestination(url, {
      allowLoopback,
      ...(options.resolve && { resolve: options.resolve }),
    });

  function seedIn(db: Db, demo: DemoSeed): void {
    if (db.count('tenants') === 0) startClock(db, options.clock ?? {}, real.now());
    seedDemo(db, demo, momentIn(db));
  }

  const named = options.tenants ?? [];
  const findDemo = (db: Db): Demo => readDemo(db, named[0]);

  /** Includes keys and secrets, so that a deleted endpoint is recreated with its secret. */
  let firstDemo: DemoSeed;
  let opening: Promise<ServiceHost> | undefined;
  const open = (): Promise<ServiceHost> =>
    (opening ??= openHost().catch((error: unknown) => {
      // A log that is held elsewhere may be free the next time.
      opening = undefined;
      throw error;
    }));
  async function openHost(): Promise<ServiceHost> {
    const demo = await toSeed(options, judgeDestination);
    await store.transact((db) => {
      seedIn(db, demo);
      firstDemo = toSameDemo(db, demo, named);
      ensureSigningKey(db, random);
      // `pollMs: 0` means that no other process shares this log.
      takeOverDeliveries(db, pollMs === 0, momentIn(db).nowMs);
    });
    scheduler.start();
    const tokens = createTokenSigner(() => signingKey, options.mac);
    return { store, clock: real, random, tokens, requests, verifyUrl };
  }

  async function transact<T>(run: Transaction<T>): Promise<T> {
    await open();
    return store.transact(run);
  }
  const run = createRunOperation({
    transact: (work) => transact((db) => work(db, momentIn(db))),
    realNow: () => real.now(),
    async useClock(use) {
      await open();
      return use(scheduler.clock);
    },
    tester: createWebhookTester({ transact, momentIn, clock: real, sender }),
    flushRequests: () => requests.flush(),
    judgeDestination,
    tellReload,
    async reset() {
      // The ones that wait belong to the state that ends.
      await requests.flush();
      const demo = await transact((db) => {
        const again = toSameDemo(db, firstDemo, named);
        forgetAll(db, [SIGNING_KEY_ID]);
        seedIn(db, again);
        return findDemo(db);
      });
      tellReload();
      return demo;
    },
  });
  const gate = createControlGate(apiOrigin);
  const app = createApp({ open, run, live, real, gate, onError });

  let ready: Promise<Demo> | undefined;
  return {
    fetch: async (request) => app.fetch(request),
    clock: createClock(run),
    control: createControl(run),
    get ready() {
      return (ready ??= transact(findDemo));
    },
    apiOrigin,
    async close() {
      live.close();
      await opening?.catch(() => {});
      await requests.flush();
      await scheduler.stop();
      await store.close();
    },
  };
}
