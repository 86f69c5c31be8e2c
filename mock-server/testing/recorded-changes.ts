import type { ServiceClock } from '../api/clock.ts';
import type { Control } from '../api/control.ts';

/** The controls for a test on a mock that other tests use, too. */
export interface RecordedChanges {
  readonly control: Control;
  readonly clock: ServiceClock;
  /** Deletes the faults that were injected through `control`, and ends a freeze that began with `clock`. */
  undo(): Promise<void>;
}

/** Wraps the controls of a mock, and records the changes that would affect other tests. */
export function recordChanges(control: Control, clock: ServiceClock): RecordedChanges {
  const faultIds: string[] = [];
  let hasFrozen = false;

  /** A fault cannot be deleted after it was used up. */
  async function deleteFault(id: string): Promise<void> {
    try {
      await control.deleteFault(id);
    } catch (error) {
      const left = await control.faults();
      if (left.some((fault) => fault.id === id)) throw error;
    }
  }

  return {
    control: {
      ...control,
      async addFault(input) {
        const fault = await control.addFault(input);
        faultIds.push(fault.id);
        return fault;
      },
    },
    clock: {
      ...clock,
      async freeze() {
        const { frozen } = await clock.read();
        // Another test, or the mock's options, may have frozen it before.
        if (!frozen) hasFrozen = true;
        return clock.freeze();
      },
      resume() {
        hasFrozen = false;
        return clock.resume();
      },
    },
    async undo() {
      // The rest is undone after a failure, too, because other tests would meet what is left.
      const undone = await Promise.allSettled([
        ...(hasFrozen ? [clock.resume()] : []),
        ...faultIds.map((id) => deleteFault(id)),
      ]);
      for (const result of undone) if (result.status === 'rejected') throw result.reason;
    },
  };
}
