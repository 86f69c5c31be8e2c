import { type ReadonlySignal, batch, signal } from '@preact/signals';
import type { ClockReading } from 'ofage-mock';
import type { LiveTopic } from 'ofage-mock/client';
import { formatError } from './kit/format-error.ts';
import { type LiveClock, createClock } from './live-clock.ts';
import { type LiveMessage, RELOAD, type StreamParts, followStream } from './live-stream.ts';

// A page's view of the service: queries that are read again whenever the service says that a topic they
// depend on has changed. The service runs on this computer, so a read takes a few milliseconds.

/**
 * The state of the page's stream. `lost` means that the service is unreachable or silent, and `paused` that
 * the page is hidden.
 */
export type Connection = 'opening' | 'open' | 'lost' | 'paused';

export interface Query<T> {
  /** Queries with the same key share one read. */
  readonly key: string;
  /**
   * The topics whose changes make the result stale. If there are none, the result is read once, and again
   * only after a reset of the service.
   */
  readonly topics: readonly LiveTopic[];
  read(): Promise<T>;
  /** The interval of additional reads, for changes that no message reports. */
  readonly everyMs?: number;
  /** The time in milliseconds for which changes are collected before one read. @default 60 */
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
  /** The error message of the last read. Empty if it succeeded. A failed read is repeated. */
  readonly error: ReadonlySignal<string>;
  /** Reads now, or once more after the pending read. Resolves when that read has ended. Never rejects. */
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
   * Runs a change, and resolves once every open query that is awaited shows its effect. The `read` of a query with topics
   * must not change anything, because the change would wait for this read.
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

const BURST_MS = 60;
const RETRY_MS = 2_000;
/** The time for which reads wait for the stream, so that no change between the two is missed. */
const OPEN_WAIT_MS = 250;

/** Follows the service while at least one query or listener is in use. */
export function createLive(parts: LiveParts): Live {
  const { page, readClock } = parts;
  const connection = signal<Connection>('opening');
  const clock = createClock();
  const entries = new Map<string, Entry<unknown>>();
  const listeners = new Set<{ notify(message: LiveMessage): void }>();
  let uses = 0;
  let holds = 0;
  /** Ends the stream. Null while the page has none. */
  let stream: AbortController | null = null;
  let isReady = false;
  let stop = (): void => {};
  const isAwake = (): boolean => holds > 0 || page === null || page.visibilityState === 'visible';

  function notify(message: LiveMessage): void {
    for (const entry of entries.values()) entry.note(message.topic);
    for (const listener of listeners) listener.notify(message);
  }

  /** Reads everything that may have changed while the page did not follow the stream. */
  function catchUp(): void {
    isReady = true;
    for (const entry of entries.values()) entry.catchUp();
    for (const listener of listeners) listener.notify(RELOAD);
  }

  function update(): void {
    const isWanted = uses > 0 && isAwake();
    if (isWanted && !stream) {
      stream = new AbortController();
      const { signal } = stream;
      isReady = false;
      connection.value = 'opening';
      setTimeout(() => {
        if (!signal.aborted && !isReady) catchUp();
      }, OPEN_WAIT_MS);
      void followStream(parts, signal, {
        onOpen() {
          connection.value = 'open';
          catchUp();
        },
        onMessage: notify,
        onLost: () => (connection.value = 'lost'),
      });
    } else if (!isWanted && stream) {
      stream.abort();
      stream = null;
      connection.value = 'paused';
    }
  }

  function openQuery<T>(query: Query<T>): { readonly entry: Entry<T>; close(): void } {
    // The cast is safe, because equal keys mean equal queries.
    const known = entries.get(query.key) as Entry<T> | undefined;
    const entry = known ?? createEntry(query, isAwake);
    entries.set(query.key, entry as Entry<unknown>);
    entry.users += 1;
    if (!known && isReady) entry.catchUp();
    return {
      entry,
      close: once(() => {
        entry.users -= 1;
        if (entry.users > 0) return;
        entry.stop();
        entries.delete(query.key);
      }),
    };
  }

  function start(): () => void {
    const read = async (): Promise<void> => clock.update(await readClock());
    const { close } = openQuery({ key: 'clock', topics: ['clock'], read });
    const stopTicking = clock.start();
    page?.addEventListener('visibilitychange', update);
    return () => {
      close();
      stopTicking();
      page?.removeEventListener('visibilitychange', update);
    };
  }

  /** Counts a use until the returned function is called. */
  function use(end: () => void): () => void {
    uses += 1;
    if (uses === 1) stop = start();
    update();
    return once(() => {
      end();
      uses -= 1;
      if (uses === 0) stop();
      update();
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
      const stale = [...entries.values()].filter(({ isAwaited }) => isAwaited);
      await Promise.all(stale.map(({ reload }) => reload()));
      return answer;
    },
    onMessage(listener) {
      // The wrapper object allows the same function to listen twice.
      const own = { notify: listener };
      listeners.add(own);
      return use(() => void listeners.delete(own));
    },
    stayAwake() {
      holds += 1;
      update();
      return once(() => {
        holds -= 1;
        update();
      });
    },
  };
}

/** An open query. */
interface Entry<T> extends Loaded<T> {
  /** True if a change waits for the next read. */
  readonly isAwaited: boolean;
  users: number;
  /** Reads soon, if a change of this topic may have changed the result. */
  note(topic: LiveTopic): void;
  /** Reads soon, unless the result cannot have changed. */
  catchUp(): void;
  stop(): void;
}

function createEntry<T>(query: Query<T>, isAwake: () => boolean): Entry<T> {
  const { topics, read, everyMs, gatherMs = BURST_MS, isAwaited = true } = query;
  const data = signal<T | null>(null);
  const error = signal('');
  let running: Promise<void> | null = null;
  let next: Promise<void> | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let dueAtMs = Infinity;
  let isOver = false;

  async function run(): Promise<void> {
    clearTimeout(timer);
    dueAtMs = Infinity;
    const answer = await read().then(
      (value) => ({ value, message: '' }),
      (reason: unknown) => ({ value: data.peek(), message: formatError(reason) }),
    );
    running = null;
    if (isOver) return;
    batch(() => {
      data.value = answer.value;
      error.value = answer.message;
    });
    const againMs = answer.message === '' ? everyMs : RETRY_MS;
    if (againMs !== undefined) readSoon(againMs);
  }

  /** The answer of a pending read may be older than the change, so another read follows it. */
  function reload(): Promise<void> {
    if (isOver) return Promise.resolve();
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
    if (isOver || atMs >= dueAtMs) return;
    clearTimeout(timer);
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
    users: 0,
    reload,
    note(topic) {
      if (topic === 'reload' || topics.includes(topic)) readSoon(gatherMs);
    },
    catchUp() {
      const isConstant = topics.length === 0 && everyMs === undefined;
      if (!isConstant || data.peek() === null) readSoon(0);
    },
    stop() {
      isOver = true;
      clearTimeout(timer);
    },
  };
}

function once(work: () => void): () => void {
  let isDone = false;
  return () => {
    if (isDone) return;
    isDone = true;
    work();
  };
}
