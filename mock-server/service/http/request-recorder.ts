import type { RealClock } from '../../store/clock.ts';
import type { Store } from '../../store/store.ts';
import { shorten, surfaceOf, toKeptRequest, type RequestRecord } from '../request-record.ts';
import { addRequests, MAX_REQUESTS, type NewRequest } from '../../rules/request-log.ts';

/** Stores handled requests in the state, with a short delay and in batches. */
export interface RequestRecorder {
  record(record: RequestRecord): void;
  /**
   * Writes the buffered requests. Never rejects: requests that cannot be written are reported and dropped.
   */
  flush(): Promise<void>;
}

/** Minimum time between two writes. Milliseconds of real time. */
const INTERVAL_MS = 250;
/**
 * Minimum time between two writes, for each request in the first of them. A busy service therefore writes
 * at most 200 requests a second. Under a higher load, the oldest requests of a batch are never written,
 * because the capped table would drop them at once.
 */
const INTERVAL_PER_REQUEST_MS = 5;

/**
 * Creates a recorder. A response never waits for the recording, so a request that changes nothing else
 * stays cheap. The first request after a quiet time is written at once, so that it is stored even if the
 * page that sent it unloads.
 */
export function createRequestRecorder(
  store: Pick<Store, 'transact'>,
  clock: RealClock,
  onError: (error: unknown) => void,
): RequestRecorder {
  let waiting = createBatch();
  let nextAtMs = -Infinity;
  let intervalMs = INTERVAL_MS;
  let cancel: (() => void) | null = null;

  async function flush(): Promise<void> {
    cancel?.();
    cancel = null;
    const added = waiting.take();
    if (added.length === 0) return;
    intervalMs = Math.max(INTERVAL_MS, added.length * INTERVAL_PER_REQUEST_MS);
    nextAtMs = clock.now() + intervalMs;
    await store.transact((db) => addRequests(db, added)).catch(onError);
  }

  return {
    record(record) {
      waiting.add(record);
      if (cancel) return;
      const nowMs = clock.now();
      // The computer's clock may have been set back, so the delay is limited.
      const delayMs = Math.min(Math.max(0, nextAtMs - nowMs), intervalMs);
      cancel = clock.wakeAt(nowMs + delayMs, () => void flush());
    },
    flush,
  };
}

/**
 * Creates a buffer of requests in the order of their responses. It keeps the newest {@link MAX_REQUESTS} of
 * each API.
 */
function createBatch() {
  const kept: Record<'api' | 'hosted', Waiting[]> = { api: [], hosted: [] };
  const counts = { all: 0, api: 0, hosted: 0 };

  return {
    add(record: RequestRecord): void {
      const surface = surfaceOf(record);
      const place = counts[surface] % MAX_REQUESTS;
      counts.all += 1;
      counts[surface] += 1;
      const requestText = record.requestText && shorten(record.requestText);
      kept[surface][place] = {
        no: counts.all,
        surfaceNo: counts[surface],
        record: { ...record, requestText },
      };
    },
    take(): NewRequest[] {
      const taken = [...kept.api.splice(0), ...kept.hosted.splice(0)];
      counts.all = counts.api = counts.hosted = 0;
      return taken
        .sort((a, b) => a.no - b.no)
        .map(({ record, ...place }) => ({ ...place, request: toKeptRequest(record) }));
    },
  };
}

interface Waiting extends Pick<NewRequest, 'no' | 'surfaceNo'> {
  readonly record: RequestRecord;
}
