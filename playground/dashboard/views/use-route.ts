import { type ReadonlySignal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { parseRoute, type Route } from '../route.ts';

/** Where the address says that we are. */
export function useRoute(): ReadonlySignal<Route> {
  const route = useSignal(parseRoute(location.hash));
  useEffect(() => {
    const read = (): void => void (route.value = parseRoute(location.hash));
    window.addEventListener('hashchange', read);
    return () => window.removeEventListener('hashchange', read);
  }, []);
  return route;
}
