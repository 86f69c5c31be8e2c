import { signal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { ControlError } from 'ofage/mock/client';
import { NoAnswerError } from '../in-time.ts';
import { formatError } from '../kit/format-error.ts';

const count = signal(0);

/** Notifies the listeners of `onReconnect` that this page's lost connection has been restored. */
export function noteReconnect(): void {
  count.value += 1;
}

/**
 * Calls `listener` whenever a lost connection has been restored.
 * @returns a function that removes the listener
 */
export function onReconnect(listener: () => void): () => void {
  const before = count.peek();
  return count.subscribe((now) => {
    if (now !== before) listener();
  });
}

/**
 * Tells whether an error was caused by a server that did not respond. Such an error is stale once the
 * connection is restored.
 */
export function isOutage(error: unknown): boolean {
  if (error instanceof NoAnswerError) return true;
  if (error instanceof ControlError) return error.code === 'unreachable';
  const { cause }: { cause?: unknown } = Object(error);
  // fetch rejects with a TypeError if it cannot reach the server.
  return cause instanceof TypeError || (cause !== undefined && isOutage(cause));
}

/** The current error of a page or panel. */
export interface Problem {
  /** The message to show. Empty if there is no error. */
  readonly text: string;
  set(error: unknown): void;
  clear(): void;
  /** Clears the error if a lost connection caused it. */
  clearOutage(): void;
}

export function createProblem(): Problem {
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

/** Keeps an error until it is cleared, or until the connection whose loss caused it is restored. */
export function useProblem(): Problem {
  const problem = useMemo(createProblem, []);
  useEffect(() => onReconnect(problem.clearOutage), [problem]);
  return problem;
}
