import { type ReadonlySignal, useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { formatError } from '../../shared/kit/format-error.ts';
import type { LiveNews } from '../../shared/live.ts';
import type { Provider } from '../../shared/provider.ts';
import { createReloader } from '../reloader.ts';

/** Something of the provider's that is loaded again whenever there is news of it. */
export interface Live<T> {
  /** Null until it is there. What was there stays while it is loaded again. */
  readonly data: ReadonlySignal<T | null>;
  /** Why the last load failed; empty when it did not. */
  readonly trouble: ReadonlySignal<string>;
  /** Resolves when what is shown is as new as this call. */
  reload(): Promise<void>;
}

/** News often comes in bursts: a moved clock delivers a day of webhooks at once. */
const BURST_MS = 60;

/**
 * @param topics Whose news means that it has changed.
 * @param asked What the load depends on; another one loads anew.
 */
export function useLive<T>(
  provider: Provider,
  topics: readonly LiveNews['topic'][],
  asked: string,
  load: () => Promise<T>,
): Live<T> {
  const data = useSignal<T | null>(null);
  const trouble = useSignal('');
  const latest = useRef(load);
  latest.current = load;
  const reload = useRef<() => Promise<void>>(async () => {});

  useEffect(() => {
    let isStale = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const reloader = createReloader(async () => {
      const [value, error] = await latest.current().then(
        (value) => [value, null] as const,
        (error: unknown) => [null, error] as const,
      );
      if (isStale) return;
      if (error === null) data.value = value;
      trouble.value = error === null ? '' : formatError(error);
    });
    reload.current = () => reloader.ask();
    void reloader.ask();
    const stop = provider.subscribe(({ topic }) => {
      if (topic !== 'reload' && !topics.includes(topic)) return;
      timer ??= setTimeout(() => {
        timer = undefined;
        void reloader.ask();
      }, BURST_MS);
    });
    return () => {
      isStale = true;
      clearTimeout(timer);
      stop();
    };
  }, [provider, asked]);

  return { data, trouble, reload: () => reload.current() };
}
