import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';

/** A lock that runs one action at a time. */
export interface Busy {
  /** True while an action is pending. */
  readonly isBusy: boolean;
  /** Runs `work` unless another action is pending. Rejects with the error of `work`. */
  run(work: () => Promise<unknown>): Promise<void>;
}

/** Creates a lock for actions that must not run at the same time. A single `Button` does not need it. */
export function useBusy(): Busy {
  const isBusy = useSignal(false);
  return useMemo(
    () => ({
      get isBusy() {
        return isBusy.value;
      },
      async run(work) {
        if (isBusy.peek()) return;
        isBusy.value = true;
        try {
          await work();
        } finally {
          isBusy.value = false;
        }
      },
    }),
    [isBusy],
  );
}
