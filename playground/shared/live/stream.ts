import type { LiveMessage, LiveTopic } from './messages.ts';
import { readEvents } from './server-sent-events.ts';

/** Opens the service's live stream after the message `lastId`, or at the current position if it is null. */
export type OpenStream = (lastId: string | null, signal: AbortSignal) => Promise<Response>;

export interface StreamListener {
  /** Returns the id of the last message that this page has received, or null if there is none. */
  lastId(): string | null;
  /** Called when the stream is open. Every message after `id` will arrive. */
  onOpen(id: string): void;
  onMessage(id: string, message: LiveMessage): void;
  /**
   * Called with `true` when the stream is open, and with `false` once the service is unreachable or has
   * been silent for too long.
   */
  onConnection(isUp: boolean): void;
}

const RETRY_MS = 1_000;
/**
 * The silence after which the connection counts as lost. The service writes something every two seconds.
 */
const SILENCE_MS = 5_000;

/**
 * Reads the live stream, and opens it again whenever it ends, until `signal` aborts. Uses fetch instead of
 * EventSource, because EventSource cannot reach a service that runs in the page itself and does not notice
 * a silent server.
 */
export async function readLiveStream(
  open: OpenStream,
  listener: StreamListener,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const beganMs = performance.now();
    const isOpened = await readOnce(open, listener, signal);
    if (signal.aborted) return;
    if (!isOpened) listener.onConnection(false);
    // The service ends the stream of a page that reads too slowly. That page resumes at once.
    const wasShort = performance.now() - beganMs < RETRY_MS;
    if (!isOpened || wasShort) await sleep(RETRY_MS, signal);
  }
}

/**
 * Reads the stream until it ends. Resolves to true if it was open and did not end by silence or an abort.
 */
async function readOnce(
  open: OpenStream,
  listener: StreamListener,
  signal: AbortSignal,
): Promise<boolean> {
  const attempt = new AbortController();
  const abort = (): void => attempt.abort();
  signal.addEventListener('abort', abort);
  let silence = setTimeout(abort, SILENCE_MS);
  const onBytes = (): void => {
    clearTimeout(silence);
    silence = setTimeout(abort, SILENCE_MS);
  };
  let isOpened = false;
  try {
    const response = await orAbort(open(listener.lastId(), attempt.signal), attempt.signal);
    if (!response.ok || !response.body) throw new Error(`The service answered ${response.status}`);
    isOpened = true;
    listener.onConnection(true);
    onBytes();
    for await (const { id, event, data } of readEvents(response.body, attempt.signal, onBytes)) {
      if (id === null || signal.aborted) continue;
      if (data === null) listener.onOpen(id);
      else listener.onMessage(id, { topic: event as LiveTopic, data: JSON.parse(data) });
    }
  } catch (error) {
    if (!signal.aborted) console.debug('The live stream was interrupted', error);
  } finally {
    clearTimeout(silence);
    signal.removeEventListener('abort', abort);
  }
  return isOpened && !attempt.signal.aborted;
}

/** Rejects when the signal aborts, because a service that runs in the page itself ignores the signal. */
function orAbort<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Error('No answer')), { once: true });
    promise.then(resolve, reject);
  });
}

function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        resolve();
      },
      { once: true },
    );
  });
}
