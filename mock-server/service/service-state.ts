import { readSigningKey } from '../rules/first-accounts.ts';
import { createSessionJobs } from '../rules/sessions.ts';
import { createDeliveryJobs } from '../send/engine.ts';
import { systemRandom, toUuid } from '../store/random.ts';
import { createScheduler, type Scheduler } from '../store/scheduler.ts';
import { createStore, type Store } from '../store/store.ts';
import { createLive, type Live } from './live.ts';
import { toClockReading } from './operations/clock.ts';
import { createRequestRecorder, type RequestRecorder } from './request-recorder.ts';
import type { ServicePorts } from './service-ports.ts';

/** The store, and the components that follow its changes or write to it. */
export interface ServiceState {
  readonly store: Store;
  readonly scheduler: Scheduler;
  readonly live: Live;
  readonly requests: RequestRecorder;
  /** Returns the key that signs session tokens. Empty until the state is open. */
  signingKey(): string;
  /** Writes the buffered requests, stops timers, waits for work in progress and closes the log. */
  close(): Promise<void>;
}

export function createServiceState(ports: ServicePorts): ServiceState {
  const { log, clock, random, sender, pollMs, onError } = ports;
  const live = createLive(
    () => toUuid(systemRandom),
    (db) => toClockReading(scheduler.clock.peek(db)),
  );
  let signingKey = '';
  const store = createStore(log, {
    onChange(change) {
      scheduler.observe(change);
      signingKey = readSigningKey(change) ?? signingKey;
    },
    onDurable: live.observe,
    onError,
  });
  const requests = createRequestRecorder(store, clock, onError);
  const delivery = { store: () => store, clock, random, sender };
  const scheduler = createScheduler({
    store: () => store,
    clock,
    pollMs,
    onError,
    handlers: { ...createSessionJobs(random), ...createDeliveryJobs(delivery) },
  });
  return {
    store,
    scheduler,
    live,
    requests,
    signingKey: () => signingKey,
    async close() {
      try {
        await requests.flush();
        await scheduler.stop();
      } finally {
        // Otherwise the data file would stay locked.
        await store.close();
      }
    },
  };
}
