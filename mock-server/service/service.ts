import { API_ORIGIN, VERIFY_URL } from '../api/brand.ts';
import type { ServiceClock } from '../api/clock.ts';
import type { Control } from '../api/control.ts';
import type { Demo } from '../api/state.ts';
import { takeOverDeliveries } from '../rules/deliveries.ts';
import { createFirstAccounts, ensureSigningKey, SIGNING_KEY_ID } from '../rules/first-accounts.ts';
import { KNOWN_KEYS_ID, markKnownKeys } from '../rules/known-keys.ts';
import { createSessionJobs } from '../rules/sessions.ts';
import { shortenWaits } from '../rules/shorten-waits.ts';
import { checkNewDestination, type Destination } from '../send/destination.ts';
import { createDeliveryJobs, createWebhookTester } from '../send/engine.ts';
import { createFetchSender } from '../send/sender.ts';
import { momentOf, shortenClockHold, systemClock } from '../store/clock.ts';
import { type Closing, createClosing, createTracker } from '../store/closing.ts';
import type { Db, Moment } from '../store/db.ts';
import { createMemoryLog } from '../store/logs/memory.ts';
import { createSeededRandom, systemRandom } from '../store/random.ts';
import type { SettingRow } from '../store/rows.ts';
import { createScheduler } from '../store/scheduler.ts';
import { createStore, type Transaction } from '../store/store.ts';
import type { ServiceHost } from './http/api-operation.ts';
import { createApp } from './http/app.ts';
import { createControlGuard } from './http/local-guard.ts';
import { createTokenSigner, toPageUrl } from './http/session-tokens.ts';
import { createLive } from './live.ts';
import { toClockReading } from './operations/clock.ts';
import { createClock, createControl, createRunOperation } from './operations/table.ts';
import { assertSecretKeys, type PublicDoor } from './public-door.ts';
import { createRequestRecorder } from './request-recorder.ts';
import { toSeed } from './seed-input.ts';
import { assertServiceOptions, type ServiceOptions } from './service-options.ts';

export type { DemoTenant } from './seed-input.ts';
export type { ServiceOptions } from './service-options.ts';

/**
 * A mock of the whole service as one object. It does nothing and starts no timer until it is first used.
 */
export interface MockService {
  /**
   * Handles a request by its path, whatever its host. Only the control API also checks the request's host
   * and origin.
   */
  fetch(request: Request): Promise<Response>;
  readonly clock: ServiceClock;
  readonly control: Control;
  /** Resolves with the id, keys and webhook secret of the first account. */
  readonly ready: Promise<Demo>;
  readonly apiOrigin: string;
  /**
   * Stops timers and closes the log. Work in progress gets half a second. After that, webhooks in flight are
   * aborted and stay queued, and a clock move ends at its present instant.
   */
  close(): Promise<void>;
}

/**
 * Creates a mock of the whole service, without handlers for MSW. Its `fetch` handles requests.
 *
 * @param options The storage and the contents of the state, the clock, and the webhooks.
 * @returns The service. It does nothing until it is first used.
 * @example
 * ```ts
 * import { createMockService } from 'ofage-mock/node';
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
 * @throws {TypeError} if an option is unknown or has an invalid value.
 * @throws {RangeError} if `seed` or `clock.now` is out of range.
 */
export function createMockService(options: ServiceOptions = {}): MockService {
  return createService(options, null);
}

/** @param door The listener for other devices, or null if there is none. */
export function createService(options: ServiceOptions, door: PublicDoor | null): MockService {
  assertServiceOptions(options);
  const { apiOrigin = API_ORIGIN, verifyUrl = VERIFY_URL } = options;
  const ports = toServicePorts(options);
  const { log, clock, random } = ports;
  const closing = createClosing(clock);
  const state = createServiceState(ports, closing, door);
  const { store, scheduler, live, requests } = state;
  const momentIn = (db: Db): Moment => momentOf(ports, db);
  const accounts = createFirstAccounts({
    named: options.tenants ?? [],
    clockStart: options.clock ?? {},
    realNow: () => clock.now(),
    momentIn,
  });

  const { open, settled } = openOnce(async (): Promise<ServiceHost> => {
    const seed = await toSeed(options, ports.resolveDestination);
    await store.transact((db) => {
      if (options.seed !== undefined) markKnownKeys(db, 'seed');
      else if (namesSecretKey(options)) markKnownKeys(db, 'options');
      if (door) assertSecretKeys(db);
      accounts.add(db, seed);
      ensureSigningKey(db, random);
      // The computer's clock may have been set back since the last run.
      shortenClockHold(db, clock.now());
      shortenWaits(db, momentIn(db).nowMs);
      takeOverDeliveries(db, { isShared: log.isShared, nowMs: momentIn(db).nowMs });
    });
    scheduler.start();
    const tokens = createTokenSigner(state.signingKey, options.mac);
    const pageOrigins = [new URL(verifyUrl).origin, ...(door ? [apiOrigin] : [])];
    return { store, clock, random, tokens, requests, closing, verifyUrl, pageOrigins };
  });
  async function transact<T>(run: Transaction<T>): Promise<T> {
    await open();
    return store.transact(run);
  }

  const tester = createWebhookTester({
    transact,
    momentIn,
    clock,
    sender: ports.sender,
    closing: closing.signal,
  });
  const run = createRunOperation({
    transact: (work) => transact((db) => work(db, momentIn(db))),
    realNow: () => clock.now(),
    async useClock(use) {
      await open();
      return use(scheduler.clock);
    },
    tester: {
      test: (endpointId, options) => closing.track(() => tester.test(endpointId, options)),
    },
    flushRequests: () => requests.flush(),
    resolveDestination: ports.resolveDestination,
    publishReload: live.publishReload,
    findDemo: accounts.find,
    door,
    async toHandoffUrl(sessionId) {
      const { handoffToken } = await (await open()).tokens.sign(sessionId);
      return toPageUrl(verifyUrl, { sessionId, handoffToken });
    },
    async reset() {
      // Buffered requests belong to the state that is about to be replaced.
      await requests.flush();
      const demo = await transact(accounts.reset);
      live.publishReload();
      return demo;
    },
  });
  const guard = createControlGuard(apiOrigin);
  const app = createApp({ open, run, live, real: clock, guard, onError: ports.onError });

  const answering = createTracker();
  async function closeParts(): Promise<void> {
    live.close();
    // A body may never arrive, and a resolver of host names may never answer.
    const waiting = Promise.all([settled(), answering.settled()]);
    await state.close(waiting);
  }

  let ready: Promise<Demo> | undefined;
  let closed: Promise<void> | undefined;
  return {
    fetch: (request) => answering.track(() => app.fetch(request)),
    clock: createClock(run),
    control: createControl(run),
    get ready() {
      ready ??= transact(accounts.find);
      return ready;
    },
    apiOrigin,
    close() {
      closed ??= closeParts();
      return closed;
    },
  };
}

/** Tells whether the options name a secret key, which is then written somewhere. */
function namesSecretKey({ tenant, tenants = [] }: ServiceOptions): boolean {
  return [tenant, ...tenants].some((account) => account?.secretKey != null);
}

type ServicePorts = ReturnType<typeof toServicePorts>;

/** Returns the dependencies of the service on its environment: those in the options, or the defaults. */
function toServicePorts(options: ServiceOptions) {
  const log = options.log ?? createMemoryLog();
  const { allowLoopbackWebhooks: allowLoopback = false, ownPort } = options;
  return {
    log,
    clock: options.realClock ?? systemClock,
    random: options.seed === undefined ? systemRandom : createSeededRandom(options.seed),
    sender: options.sender ?? createFetchSender({ allowLoopback, ownPort }),
    resolveDestination: (url: string): Promise<Destination> =>
      checkNewDestination(url, {
        allowLoopback,
        ownPort,
        ...(options.resolve && { resolve: options.resolve }),
      }),
    // 0 turns off the search for work that another process left in the log.
    pollMs: options.pollMs ?? (log.isShared ? 1000 : 0),
    // Called in a microtask, so that a callback that throws does not stop the service.
    onError: (error: unknown): void => queueMicrotask(() => options.onError?.(error)),
  };
}

/** Creates the store, and the components that follow its changes or write to it. */
function createServiceState(ports: ServicePorts, closing: Closing, door: PublicDoor | null) {
  const { log, clock, random, sender, pollMs, onError } = ports;
  const live = createLive((db) => toClockReading(scheduler.clock.peek(db)));
  let signingKey = '';
  const store = createStore(log, {
    clock,
    onChange(change) {
      scheduler.observe(change);
      const [table, id, row] = change;
      if (table !== 'settings' || !row) return;
      if (id === SIGNING_KEY_ID) signingKey = (row as SettingRow).value;
      // This service refuses such keys, so another process has added them to the shared state.
      if (id === KNOWN_KEYS_ID) door?.close();
    },
    onDurable: live.observe,
    onError,
  });
  const requests = createRequestRecorder(store, clock, onError);
  const delivery = { store: () => store, clock, random, sender, closing: closing.signal };
  const scheduler = createScheduler({
    store: () => store,
    clock,
    pollMs,
    onError,
    onSetBack: shortenWaits,
    closing: closing.signal,
    handlers: { ...createSessionJobs(random), ...createDeliveryJobs(delivery) },
  });
  return {
    store,
    scheduler,
    live,
    requests,
    /** Returns the key that signs session tokens. Empty until the state is open. */
    signingKey: () => signingKey,
    /**
     * Stops timers, waits for work in progress, writes the buffered requests and closes the log.
     * @param work Other work to wait for, which may never end.
     */
    async close(work: Promise<unknown>): Promise<void> {
      try {
        closing.begin();
        await Promise.all([closing.orAborted(work), scheduler.stop()]);
        await closing.settled();
        await requests.flush();
        closing.end();
      } finally {
        // Otherwise the data file would stay locked.
        await store.close();
      }
    },
  };
}

/** Runs `load` at the first call to `open`. After a failure, the next call retries. */
function openOnce<T>(load: () => Promise<T>): {
  open(): Promise<T>;
  /** Waits for a load in progress. Never rejects. */
  settled(): Promise<unknown>;
} {
  let opening: Promise<T> | undefined;
  return {
    open() {
      opening ??= load().catch((error: unknown) => {
        // Allows a retry, because a log that another process holds may be free the next time.
        opening = undefined;
        throw error;
      });
      return opening;
    },
    settled: async () => opening?.catch(() => {}),
  };
}
