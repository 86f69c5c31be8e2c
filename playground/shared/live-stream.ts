import type { LiveTopic } from 'ofage-mock/client';

/** A message of the live stream: a resource after a change. */
export interface LiveMessage {
  readonly topic: LiveTopic;
  /** The resource. For a deleted one, its id and `deleted: true`. Null for `reload`. */
  readonly data: unknown;
}

/** The message that everything must be read again. */
export const RELOAD: LiveMessage = { topic: 'reload', data: null };

export interface StreamParts {
  /** Opens the service's stream of server-sent events. */
  openStream(signal: AbortSignal): Promise<Response>;
  /**
   * The streams that the pages of a browser share. Null if each page may have one, as it may if the service
   * runs in the page.
   */
  readonly slots: Slots | null;
}

/** A limited number of streams. */
export interface Slots {
  /** Runs `work` while holding a stream. Resolves to false without running it if all are in use. */
  run(work: () => Promise<void>): Promise<boolean>;
}

export interface StreamListener {
  /** Called when the stream is open. Messages from before may have been missed. */
  onOpen(): void;
  onMessage(message: LiveMessage): void;
  /** Called when the service cannot be reached, or has been silent for too long. */
  onLost(): void;
}

const RETRY_MS = 1_000;
/** The interval at which a page without a stream reads. */
const POLL_MS = 2_000;
/** The service writes something every two seconds. */
const SILENCE_MS = 4_500;

/**
 * Follows the service's stream until `over` aborts, and opens it again whenever it ends. A page that gets no
 * stream, because too many others are visible, reads every two seconds instead.
 */
export async function followStream(
  { openStream, slots }: StreamParts,
  over: AbortSignal,
  listener: StreamListener,
): Promise<void> {
  /** @param isShort True to leave the stream as soon as it is open */
  async function connect(isShort: boolean): Promise<void> {
    // `over` may have aborted while the page waited for a slot, and tells a new listener nothing.
    if (over.aborted) return;
    const attempt = new AbortController();
    const abort = (): void => attempt.abort();
    over.addEventListener('abort', abort);
    let silence = setTimeout(abort, SILENCE_MS);
    const onBytes = (): void => {
      clearTimeout(silence);
      silence = setTimeout(abort, SILENCE_MS);
    };
    try {
      const response = await orAbort(openStream(attempt.signal), attempt.signal);
      if (!response.body) throw new Error('The stream has no body');
      listener.onOpen();
      if (isShort) return;
      onBytes();
      for await (const message of readEvents(response.body, attempt.signal, onBytes)) {
        if (!over.aborted) listener.onMessage(message);
      }
      if (attempt.signal.aborted) throw new Error('The service is silent');
    } catch (error) {
      if (over.aborted) return;
      console.debug('The live stream was interrupted', error);
      listener.onLost();
    } finally {
      attempt.abort();
      clearTimeout(silence);
      over.removeEventListener('abort', abort);
    }
  }

  while (!over.aborted) {
    let delayMs = RETRY_MS;
    if (!slots) await connect(false);
    else if (!(await slots.run(() => connect(false)))) {
      delayMs = POLL_MS;
      await connect(true);
    }
    if (!over.aborted) await new Promise((resolve) => setTimeout(resolve, delayMs));
  }
}

/** The number of pages of a browser that may hold a stream. Browsers allow six connections to a host. */
const MAX_STREAMS = 3;

/** Returns the streams of all pages of this origin, or null if the browser has no Web Locks. */
export function findSlots(locks: LockManager | undefined = navigator.locks): Slots | null {
  if (!locks) return null;
  return {
    async run(work) {
      for (let n = 0; n < MAX_STREAMS; n += 1) {
        const isDone = await locks.request(
          `ofage-live-${n}`,
          { ifAvailable: true },
          async (lock) => {
            if (lock) await work();
            return lock !== null;
          },
        );
        if (isDone) return true;
      }
      return false;
    },
  };
}

/** Rejects when the signal aborts, because a service that runs in the page itself ignores the signal. */
function orAbort<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Error('No answer')), { once: true });
    promise.then(resolve, reject);
  });
}

/**
 * Reads the messages of a stream. EventSource cannot reach a service that runs in the page itself, and does
 * not notice a silent server. The service writes each event as `event: TOPIC` and one line of data.
 * @param onBytes Called for every chunk that arrives, including comments.
 */
async function* readEvents(
  body: ReadableStream<Uint8Array>,
  signal: AbortSignal,
  onBytes: () => void,
): AsyncGenerator<LiveMessage> {
  const reader = body.getReader();
  const stop = (): void => void reader.cancel().catch(() => undefined);
  signal.addEventListener('abort', stop);
  const decoder = new TextDecoder();
  let text = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      onBytes();
      const blocks = (text + decoder.decode(value, { stream: true })).split('\n\n');
      text = blocks.pop() ?? '';
      for (const block of blocks) {
        const topic = /^event: (.*)$/m.exec(block)?.[1];
        const data = /^data: (.*)$/m.exec(block)?.[1];
        if (topic !== undefined && data !== undefined) {
          yield { topic: topic as LiveTopic, data: JSON.parse(data) };
        }
      }
    }
  } finally {
    signal.removeEventListener('abort', stop);
    stop();
  }
}
