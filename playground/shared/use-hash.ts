import { type ReadonlySignal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

/** Follows the fragment of the address, as `parse` reads it. */
export function useHash<T>(parse: (hash: string) => T): ReadonlySignal<T> {
  const parsed = useSignal(parse(location.hash));
  useEffect(() => {
    const read = (): void => void (parsed.value = parse(location.hash));
    window.addEventListener('hashchange', read);
    return () => window.removeEventListener('hashchange', read);
  }, []);
  return parsed;
}
