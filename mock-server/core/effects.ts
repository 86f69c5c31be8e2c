import type { Effect } from './due-jobs.ts';

/** The effects under way. */
export interface Effects {
  /** Starts them all; resolves when these are through. One that fails is reported, and never rejects this. */
  launch(effects: readonly Effect[]): Promise<void>;
  /** Resolves when nothing is under way. */
  settle(): Promise<void>;
}

export function createEffects(onError: (error: unknown) => void): Effects {
  const underWay = new Set<Promise<void>>();

  async function launchOne(effect: Effect): Promise<void> {
    try {
      await effect();
    } catch (error) {
      onError(error);
    }
  }

  return {
    async launch(effects) {
      await Promise.all(
        effects.map((effect) => {
          const done = launchOne(effect).finally(() => underWay.delete(done));
          underWay.add(done);
          return done;
        }),
      );
    },
    async settle() {
      while (underWay.size > 0) await Promise.allSettled(underWay);
    },
  };
}
