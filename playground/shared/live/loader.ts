import { type ReadonlySignal, signal } from '@preact/signals';
import { formatError } from '../kit/format-error.ts';
import type { Attention } from './attention.ts';

/** Reads something of the service again and again, never twice at once. */
export interface Loader {
  /** Why the last read failed; empty when it did not. A failed read is tried again until one succeeds. */
  readonly trouble: ReadonlySignal<string>;
  /** Reads, or reads once more after the read that is pending. Resolves when that is done; never rejects. */
  ask(): Promise<void>;
  /**
   * Reads after so long, or sooner if asked for. A page that sleeps reads when it wakes up.
   * @param delayMs @default 60, because changes come in bursts
   */
  askSoon(delayMs?: number): void;
  stop(): void;
}

const BURST_MS = 60;
const RETRY_MS = 2_000;

/** @param everyMs Reads as often as this too, for what no message tells of. */
export function createLoader(
  read: () => Promise<void>,
  attention: Attention,
  everyMs: number | null = null,
): Loader {
  const trouble = signal('');
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
        trouble.value = message;
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
      // A sleeping page keeps `timerAtMs` in the past, and asks when it wakes up.
      if (attention.isAwake()) void ask();
    }, delayMs);
  }
  const stopWatching = attention.onChange(() => {
    if (attention.isAwake() && timerAtMs <= performance.now()) void ask();
  });

  return {
    trouble,
    ask,
    askSoon,
    stop() {
      isOver = true;
      clearTimeout(timer);
      stopWatching();
    },
  };
}
