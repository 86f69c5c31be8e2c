import { type ReadonlySignal, useSignal } from '@preact/signals';
import type { ClockReading } from 'ofage/mock';
import { useEffect } from 'preact/hooks';
import type { Provider } from '../../shared/provider.ts';
import { type HeardClock, toVirtualNow } from '../clock-reading.ts';

/** The provider's time, each second; this computer's until it is known. */
export function useClock(provider: Provider): ReadonlySignal<number> {
  const nowMs = useSignal(Date.now());
  useEffect(() => {
    let heard: HeardClock | null = null;
    const tick = (): void => {
      if (heard) nowMs.value = toVirtualNow(heard, performance.now());
    };
    const load = (): void => {
      provider.control<ClockReading>('GET', '/clock').then(
        (clock) => {
          heard = { clock, heardAtMs: performance.now() };
          tick();
        },
        // The page says elsewhere that the provider is gone.
        () => undefined,
      );
    };
    load();
    const ticking = setInterval(tick, 1_000);
    const stop = provider.subscribe(({ topic }) => {
      if (topic === 'clock' || topic === 'reload') load();
    });
    return () => {
      clearInterval(ticking);
      stop();
    };
  }, [provider]);
  return nowMs;
}
