import { type ReadonlySignal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

/** Returns a signal with the parsed fragment of the page's URL. */
export function useHash<T>(parse: (hash: string) => T): ReadonlySignal<T> {
  const parsed = useSignal(parse(location.hash));
  useEffect(() => {
    const read = (): void => {
      parsed.value = parse(location.hash);
    };
    window.addEventListener('hashchange', read);
    return () => window.removeEventListener('hashchange', read);
  }, []);
  return parsed;
}
