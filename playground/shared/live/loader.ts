import { type ReadonlySignal, signal } from '@preact/signals';
import { formatError } from '../kit/format-error.ts';
import type { Attention } from './attention.ts';

/** Reads data of the service repeatedly, one read at a time. */
export interface Loader {
  /**
   * The error message of the last read. Empty if it succeeded. A failed read is retried until one succeeds.
   */
  readonly error: ReadonlySignal<string>;
  /** Reads now, or once more after the pending read. Resolves when that read has ended. Never rejects. */
  ask(): Promise<void>;
  /**
   * Reads after a delay, or sooner if another call asks for it. A hidden page reads when it is shown again.
   * @param delayMs @default 60, because changes come in bursts
   */
  askSoon(delayMs?: number): void;
  stop(): void;
}

const BURST_MS = 60;
const RETRY_MS = 2_000;

/** @param everyMs The interval of additional reads, for changes that the stream does not report */
export function createLoader(
  read: () => Promise<void>,
  attention: Attention,
  everyMs: number | null = null,
): Loader {
  const error = signal('');
  let running: Promise<void> | null = null;
  let next: Promise<void> | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let timerAtMs = Infinity;
  let isOver = false;

  const run = (): Promise<void> => {
    clearTimeout(timer);
    timerAtMs = Infinity;
    running = read()
      .then(() => '', formatError)
      .then((message) => {
        running = null;
        if (isOver) return;
        error.value = message;
        if (message !== '') askSoon(RETRY_MS);
        else if (everyMs !== null) askSoon(everyMs);
      });
    return running;
  };
  const ask = (): Promise<void> => {
    if (isOver) return Promise.resolve();
    if (!running) return run();
    next ??= running.then(() => {
      next = null;
      return ask();
    });
    return next;
  };
  function askSoon(delayMs = BURST_MS): void {
    const atMs = performance.now() + delayMs;
    if (isOver || atMs >= timerAtMs) return;
    clearTimeout(timer);
    timerAtMs = atMs;
    timer = setTimeout(() => {
      // While the page is not awake, `timerAtMs` stays in the past, and the page reads when it wakes up.
      if (attention.isAwake()) void ask();
    }, delayMs);
  }
  const stopWatching = attention.onChange(() => {
    if (attention.isAwake() && timerAtMs <= performance.now()) void ask();
  });

  return {
    error,
    ask,
    askSoon,
    stop() {
      isOver = true;
      clearTimeout(timer);
      stopWatching();
    },
  };
}
