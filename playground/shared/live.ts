import { type ReadonlySignal, batch, signal } from '@preact/signals';
import type { ClockReading } from 'ofage-mock';
import type { LiveTopic } from 'ofage-mock/client';
import { formatError } from './kit/format-error.ts';
import { type LiveClock, createClock } from './live-clock.ts';
import { type LiveMessage, RELOAD, type StreamParts, followStream } from './live-stream.ts';

// A page's view of the service: queries that are read again whenever the service says that a topic they
// depend on has changed. The service runs on this computer, so a read takes a few milliseconds.
//
// stream     The service's messages about changes. The page follows it while it is in use and awake.
// in use     At least one query is open, or one listener listens.
// awake      The page is visible, or `stayAwake` holds.
// entry      An open query. Queries with the same key share an entry.
// catch-up   A read of every entry, because changes may have been missed.

/**
 * The state of the page's stream.
 * - `lost`: the service is unreachable or silent
 * - `paused`: there is no stream, because the page is hidden or not in use
 */
export type Connection = 'opening' | 'open' | 'lost' | 'paused';

export interface Query<T> {
  /** Queries with the same key share one read. */
  readonly key: string;
  /**
   * The topics whose changes make the result stale. A result without topics is read again after a reset of
   * the service, and if `everyMs` is set.
   */
  readonly topics: readonly LiveTopic[];
  read(): Promise<T>;
  /** The interval of additional reads, for changes that no message reports. */
  readonly everyMs?: number;
  /** The time in milliseconds for which changes are collected before one read. @default GATHER_MS */
  readonly gatherMs?: number;
  /**
   * False if no change waits for this query, because its read takes longer than the change. The messages of
   * the service update it.
   * @default true
   */
  readonly isAwaited?: boolean;
}

export interface Loaded<T> {
  /** Null until the first successful read. Keeps the last value after a failure. */
  readonly data: ReadonlySignal<T | null>;
  /** The error message of the last read. Empty if it succeeded. A failed read is repeated while the page is awake. */
  readonly error: ReadonlySignal<string>;
  /** Reads now, or once more after the pending read. Resolves when that read has succeeded or failed. */
  reload(): Promise<void>;
}

export interface Opened<T> extends Loaded<T> {
  close(): void;
}

export interface Live {
  readonly connection: ReadonlySignal<Connection>;
  readonly clock: LiveClock;
  open<T>(query: Query<T>): Opened<T>;
  /**
   * Runs a change, and resolves once every open query that is awaited has been read again. The `read` of a
   * query with topics must not change anything, because the change would wait for this read.
   */
  change<T>(run: () => Promise<T>): Promise<T>;
  /**
   * Calls `listener` with each message of the service, and with `reload` when messages may have been missed.
   * @returns a function that removes the listener
   */
  onMessage(listener: (message: LiveMessage) => void): () => void;
  /** Keeps reading while the page is hidden. @returns a function that ends this */
  stayAwake(): () => void;
}

export interface LiveParts extends StreamParts {
  readClock(): Promise<ClockReading>;
  /** The document. If it is null, as in a test, the page is always visible. */
  readonly page: Pick<
    Document,
    'visibilityState' | 'addEventListener' | 'removeEventListener'
  > | null;
}

/** Collects a burst of changes, so that one read follows it. */
const GATHER_MS = 60;
const RETRY_MS = 2_000;
/** The time for which reads wait for the stream, so that no change between the two is missed. */
const OPEN_WAIT_MS = 250;

/** The page's stream, while there is one. */
interface Stream {
  readonly controller: AbortController;
  /** False until it has opened, or has taken so long that the entries were read without it. */
  isReady: boolean;
}

export function createLive(parts: LiveParts): Live {
  const { page, readClock } = parts;
  const connection = signal<Connection>('opening');
  const clock = createClock();
  const entries = new Map<string, Entry<unknown>>();
  const listeners = new Set<{ notify(message: LiveMessage): void }>();
  /** The number of open queries and listeners. */
  let useCount = 0;
  /** The number of calls of `stayAwake` that have not ended. */
  let awakeCount = 0;
  let stream: Stream | null = null;
  let stopClock = (): void => {};
  const isAwake = (): boolean =>
    awakeCount > 0 || page === null || page.visibilityState === 'visible';

  /** Opens or ends the stream, whichever is missing. */
  function updateStream(): void {
    const isWanted = useCount > 0 && isAwake();
    if (isWanted && !stream) {
      stream = { controller: new AbortController(), isReady: false };
      follow(stream);
    } else if (!isWanted && stream) {
      stream.controller.abort();
      stream = null;
      connection.value = 'paused';
    }
  }

  function follow(opened: Stream): void {
    const { signal } = opened.controller;
    connection.value = 'opening';
    setTimeout(() => {
      if (!signal.aborted && !opened.isReady) catchUp(opened);
    }, OPEN_WAIT_MS);
    void followStream(parts, signal, {
      onOpen() {
        connection.value = 'open';
        catchUp(opened);
      },
      onMessage: notify,
      onLost() {
        connection.value = 'lost';
      },
    });
  }

  function catchUp(opened: Stream): void {
    opened.isReady = true;
    for (const entry of entries.values()) entry.catchUp();
    for (const listener of listeners) listener.notify(RELOAD);
  }

  function notify(message: LiveMessage): void {
    for (const entry of entries.values()) entry.onChange(message.topic);
    for (const listener of listeners) listener.notify(message);
  }

  function openQuery<T>(query: Query<T>): { readonly entry: Entry<T>; close(): void } {
    // The cast is safe, because equal keys mean equal queries.
    const known = entries.get(query.key) as Entry<T> | undefined;
    const entry = known ?? createEntry(query, isAwake);
    entries.set(query.key, entry as Entry<unknown>);
    entry.userCount += 1;
    // The first catch-up of the stream reads it otherwise.
    if (!known && stream?.isReady) entry.catchUp();
    return {
      entry,
      close: once(() => {
        entry.userCount -= 1;
        if (entry.userCount > 0) return;
        entry.stop();
        entries.delete(query.key);
      }),
    };
  }

  /** Starts the clock, which the page shows while it is in use. @returns a function that stops it */
  function startClock(): () => void {
    const read = async (): Promise<void> => clock.update(await readClock());
    const { close } = openQuery({ key: 'clock', topics: ['clock'], read });
    const stopTicking = clock.start();
    page?.addEventListener('visibilitychange', updateStream);
    return () => {
      close();
      stopTicking();
      page?.removeEventListener('visibilitychange', updateStream);
    };
  }

  /** Counts a use until the returned function is called, which also calls `end`. */
  function use(end: () => void): () => void {
    useCount += 1;
    if (useCount === 1) stopClock = startClock();
    updateStream();
    return once(() => {
      end();
      useCount -= 1;
      if (useCount === 0) stopClock();
      updateStream();
    });
  }

  return {
    connection,
    clock,
    open<T>(query: Query<T>) {
      const { entry, close } = openQuery(query);
      return { data: entry.data, error: entry.error, reload: entry.reload, close: use(close) };
    },
    async change(run) {
      const answer = await run();
      const awaited = [...entries.values()].filter(({ isAwaited }) => isAwaited);
      await Promise.all(awaited.map(({ reload }) => reload()));
      return answer;
    },
    onMessage(listener) {
      // The wrapper object allows the same function to listen twice.
      const own = { notify: listener };
      listeners.add(own);
      return use(() => {
        listeners.delete(own);
      });
    },
    stayAwake() {
      awakeCount += 1;
      updateStream();
      return once(() => {
        awakeCount -= 1;
        updateStream();
      });
    },
  };
}

/** An open query. */
interface Entry<T> extends Loaded<T> {
  /** True if a change waits for the next read. */
  readonly isAwaited: boolean;
  userCount: number;
  /** Reads soon, if a change of this topic may have changed the result. */
  onChange(topic: LiveTopic): void;
  /** Reads soon, unless the result cannot have changed. */
  catchUp(): void;
  stop(): void;
}

function createEntry<T>(query: Query<T>, isAwake: () => boolean): Entry<T> {
  const { topics, read, everyMs, gatherMs = GATHER_MS, isAwaited = true } = query;
  const data = signal<T | null>(null);
  const error = signal('');
  /** The pending read, and the one that follows it. */
  let running: Promise<void> | null = null;
  let next: Promise<void> | null = null;
  /** The planned read, and its time. Infinity if none is planned. */
  let timer: ReturnType<typeof setTimeout> | undefined;
  let dueAtMs = Infinity;
  let isStopped = false;

  async function run(): Promise<void> {
    cancelPlanned();
    const answer = await tryTo(read);
    running = null;
    if (isStopped) return;
    if (answer.isRead) {
      batch(() => {
        data.value = answer.value;
        error.value = '';
      });
      if (everyMs !== undefined) readSoon(everyMs);
    } else {
      error.value = answer.message;
      readSoon(RETRY_MS);
    }
  }

  function cancelPlanned(): void {
    clearTimeout(timer);
    dueAtMs = Infinity;
  }

  /** The answer of a pending read may be older than the change, so another read follows it. */
  function reload(): Promise<void> {
    if (isStopped) return Promise.resolve();
    if (!running) {
      running = run();
      return running;
    }
    next ??= running.then(() => {
      next = null;
      return reload();
    });
    return next;
  }

  /** Reads after a delay, or sooner if another call asks for it. A hidden page reads when it is shown. */
  function readSoon(delayMs: number): void {
    const atMs = performance.now() + delayMs;
    if (isStopped || atMs >= dueAtMs) return;
    cancelPlanned();
    dueAtMs = atMs;
    timer = setTimeout(() => {
      dueAtMs = Infinity;
      if (isAwake()) void reload();
    }, delayMs);
  }

  return {
    data,
    error,
    isAwaited: isAwaited && topics.length > 0,
    userCount: 0,
    reload,
    onChange(topic) {
      if (topic === 'reload' || topics.includes(topic)) readSoon(gatherMs);
    },
    catchUp() {
      const isConstant = topics.length === 0 && everyMs === undefined;
      if (!isConstant || data.peek() === null) readSoon(0);
    },
    stop() {
      isStopped = true;
      cancelPlanned();
    },
  };
}

type Answer<T> =
  | { readonly isRead: true; readonly value: T }
  | { readonly isRead: false; readonly message: string };

async function tryTo<T>(read: () => Promise<T>): Promise<Answer<T>> {
  try {
    return { isRead: true, value: await read() };
  } catch (reason) {
    return { isRead: false, message: formatError(reason) };
  }
}

/** Returns a function that does the work on its first call only. */
function once(work: () => void): () => void {
  let isDone = false;
  return () => {
    if (isDone) return;
    isDone = true;
    work();
  };
}
