import { signal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { ControlError } from 'ofage/mock/client';
import { NoAnswerError } from '../in-time.ts';
import { formatError } from '../kit/format-error.ts';

const count = signal(0);

/** Says that this page's lost connection is there again. */
export function noteReconnect(): void {
  count.value += 1;
}

/** Calls back whenever a lost connection is there again. @returns how to stop */
export function onReconnect(listener: () => void): () => void {
  const before = count.peek();
  return count.subscribe((now) => {
    if (now !== before) listener();
  });
}

/** Whether nothing answered, so that the error is out of date once the connection is back. */
export function isOutage(error: unknown): boolean {
  if (error instanceof NoAnswerError) return true;
  if (error instanceof ControlError) return error.code === 'unreachable';
  const { cause }: { cause?: unknown } = Object(error);
  // That is what a fetch rejects with when nothing answers.
  return cause instanceof TypeError || (cause !== undefined && isOutage(cause));
}

/** An error that a page shows. */
export interface Trouble {
  /** The sentence; empty when all is well. */
  readonly text: string;
  set(error: unknown): void;
  clear(): void;
  /** Clears an error that a lost connection has caused. */
  clearOutage(): void;
}

export function createTrouble(): Trouble {
  const shown = signal<{ readonly error: unknown } | null>(null);
  return {
    get text() {
      return shown.value ? formatError(shown.value.error) : '';
    },
    set: (error) => void (shown.value = { error }),
    clear: () => void (shown.value = null),
    clearOutage() {
      if (isOutage(shown.peek()?.error)) shown.value = null;
    },
  };
}

/** Holds an error until it is cleared, or until the outage that caused it is over. */
export function useTrouble(): Trouble {
  const trouble = useMemo(createTrouble, []);
  useEffect(() => onReconnect(trouble.clearOutage), [trouble]);
  return trouble;
}
