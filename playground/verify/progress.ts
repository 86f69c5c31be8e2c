/** How far the shopper has come. It lasts through a reload; there is no image in it, as nowhere. */
export interface Progress {
  /** Of the picture that comes next, from 0. */
  readonly index: number;
  readonly isFaceEnough: boolean;
  /** The outcome that the sandbox's chooser stands on, where there is one. */
  readonly outcome: string | null;
}

export interface ProgressStore {
  load(): Progress | null;
  /** `null` forgets it. */
  save(progress: Progress | null): void;
}

/** Keeps it with the tab, as long as the tab lives. A browser that keeps nothing begins at the intro. */
export function createProgressStore(sessionId: string, open: () => Storage): ProgressStore {
  const key = `ofage:progress:${sessionId}`;
  const attempt = <Value>(run: (storage: Storage) => Value): Value | null => {
    try {
      return run(open());
    } catch {
      return null;
    }
  };
  return {
    load: () => attempt((storage) => parseProgress(JSON.parse(storage.getItem(key) ?? 'null'))),
    save(progress) {
      attempt((storage) => {
        if (progress) storage.setItem(key, JSON.stringify(progress));
        else storage.removeItem(key);
      });
    },
  };
}

function parseProgress(value: unknown): Progress | null {
  if (typeof value !== 'object' || value === null) return null;
  const { index, isFaceEnough, outcome }: Partial<Record<keyof Progress, unknown>> = value;
  if (typeof index !== 'number' || !Number.isInteger(index) || index < 0) return null;
  return {
    index,
    isFaceEnough: isFaceEnough !== false,
    outcome: typeof outcome === 'string' ? outcome : null,
  };
}
