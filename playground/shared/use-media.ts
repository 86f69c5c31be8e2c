import { useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';

/** Tells whether a media query matches, and renders again when that changes. */
export function useMedia(query: string): boolean {
  const list = useMemo(() => matchMedia(query), [query]);
  const matches = useSignal(list.matches);
  useEffect(() => {
    const read = (): void => void (matches.value = list.matches);
    read();
    list.addEventListener('change', read);
    return () => list.removeEventListener('change', read);
  }, [list]);
  return matches.value;
}
