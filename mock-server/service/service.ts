import { API_ORIGIN, VERIFY_URL } from '../api/brand.ts';
import type { ServiceClock } from '../api/clock.ts';
import type { Control } from '../api/control.ts';
import type { Demo } from '../api/state.ts';
import { takeOverDeliveries } from '../rules/deliveries.ts';
import {
  createFirstAccounts,
  ensureSigningKey,
  type FirstAccounts,
} from '../rules/first-accounts.ts';
import { createWebhookTester } from '../send/engine.ts';
import type { Db, Moment } from '../store/db.ts';
import type { Transaction } from '../store/store.ts';
import { createApp } from './http/app.ts';
import { createControlGate } from './http/control.ts';
import { momentOf, type ServiceHost } from './http/host.ts';
import { createTokenSigner } from './http/session-tokens.ts';
import {
  createClock,
  createControl,
  createRunOperation,
  type RunOperation,
} from './operations/table.ts';
import { toSeed } from './seed-input.ts';
import { assertServiceOptions, type ServiceOptions } from './service-options.ts';
import { type ServicePorts, toServicePorts } from './service-ports.ts';
import { createServiceState, type ServiceState } from './service-state.ts';

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
  /** Stops timers, waits for work in progress and closes the log. */
  close(): Promise<void>;
}

/**
 * Creates a mock of the whole service, without handlers for MSW. Its `fetch` handles requests.
 *
 * @param options The storage and the contents of the state, the clock, and the webhooks.
 * @returns The service. It does nothing until it is first used.
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
 * @throws {TypeError} if an option is unknown or has an invalid value.
 * @throws {RangeError} if `seed` or `clock.now` is out of range.
 */
export function createMockService(options: ServiceOptions = {}): MockService {
  assertServiceOptions(options);
  const { apiOrigin = API_ORIGIN, verifyUrl = VERIFY_URL } = options;
  const ports = toServicePorts(options);
  const { log, clock, random } = ports;
  const state = createServiceState(ports);
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
      accounts.add(db, seed);
      ensureSigningKey(db, random);
      takeOverDeliveries(db, { isShared: log.isShared, nowMs: momentIn(db).nowMs });
    });
    scheduler.start();
    const tokens = createTokenSigner(state.signingKey, options.mac);
    return { store, clock, random, tokens, requests, verifyUrl };
  });
  async function transact<T>(run: Transaction<T>): Promise<T> {
    await open();
    return store.transact(run);
  }

  const run = createRunner({ state, ports, accounts, open, transact, momentIn });
  const control = createControl(run);
  const gate = createControlGate(apiOrigin);
  const app = createApp({ open, run, live, real: clock, gate, onError: ports.onError });

  let ready: Promise<Demo> | undefined;
  return {
    fetch: async (request) => app.fetch(request),
    clock: createClock(run),
    control,
    get ready() {
      return (ready ??= transact(accounts.find));
    },
    apiOrigin,
    async close() {
      try {
        live.close();
        await settled();
      } finally {
        await state.close();
      }
    },
  };
}

interface RunnerParts {
  readonly state: ServiceState;
  readonly ports: ServicePorts;
  readonly accounts: FirstAccounts;
  open(): Promise<unknown>;
  transact<T>(run: Transaction<T>): Promise<T>;
  /** Returns the time and randomness that a transaction uses. */
  momentIn(db: Db): Moment;
}

function createRunner(parts: RunnerParts): RunOperation {
  const { state, accounts, open, transact, momentIn } = parts;
  const { clock, sender, resolveDestination } = parts.ports;
  const publishReload = (): void => state.live.publish('reload', () => null);
  return createRunOperation({
    transact: (work) => transact((db) => work(db, momentIn(db))),
    realNow: () => clock.now(),
    async useClock(use) {
      await open();
      return use(state.scheduler.clock);
    },
    tester: createWebhookTester({ transact, momentIn, clock, sender }),
    flushRequests: () => state.requests.flush(),
    resolveDestination,
    publishReload,
    findDemo: accounts.find,
    async reset() {
      // Buffered requests belong to the state that is about to be replaced.
      await state.requests.flush();
      const demo = await transact(accounts.reset);
      publishReload();
      return demo;
    },
  });
}

/** Runs `load` at the first call to `open`. After a failure, the next call retries. */
function openOnce<T>(load: () => Promise<T>): {
  open(): Promise<T>;
  /** Waits for a load in progress. Never rejects. */
  settled(): Promise<unknown>;
} {
  let opening: Promise<T> | undefined;
  return {
    open: () =>
      (opening ??= load().catch((error: unknown) => {
        // Allows a retry, because a log that another process holds may be free the next time.
        opening = undefined;
        throw error;
      })),
    settled: async () => opening?.catch(() => {}),
  };
}
