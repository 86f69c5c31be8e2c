import { useSignal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { formatError } from './kit/format-error.ts';
import type { Live, Query } from './live.ts';

/** The result of a query, as a component shows it. */
export interface Result<T> {
  /** Null until the first successful read. Keeps the last value after a failure. */
  readonly data: T | null;
  /** The error message of the last read. Empty if it succeeded. */
  readonly error: string;
  reload(): Promise<void>;
}

/**
 * Opens a query while the component is mounted. When the key changes, the old data stays until the new data
 * has arrived.
 */
export function useQuery<T>(live: Pick<Live, 'open'>, query: Query<T>): Result<T> {
  const opened = useMemo(() => live.open(query), [live, query.key]);
  useEffect(() => opened.close, [opened]);
  const last = useRef<T | null>(null);
  last.current = opened.data.value ?? last.current;
  return { data: last.current, error: opened.error.value, reload: opened.reload };
}

/** The current error of an action. Empty if there is none. */
export interface Problem {
  readonly text: string;
  set(error: unknown): void;
  clear(): void;
}

/** Keeps an error until it is cleared, or until a lost connection, which probably caused it, is restored. */
export function useProblem({ connection }: Pick<Live, 'connection'>): Problem {
  const text = useSignal('');
  useEffect(() => {
    let wasLost = false;
    return connection.subscribe((now) => {
      if (wasLost && now === 'open') text.value = '';
      wasLost = now === 'lost' || (wasLost && now !== 'open');
    });
  }, [connection]);
  return {
    get text() {
      return text.value;
    },
    set: (error) => (text.value = formatError(error)),
    clear: () => (text.value = ''),
  };
}
