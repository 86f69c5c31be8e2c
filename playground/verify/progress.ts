import { DOCUMENTS, type IdDocument } from './steps.ts';

/** The shopper's progress, which survives a reload. It contains no image. */
export interface Progress {
  /** Index of the next picture, from 0. */
  readonly index: number;
  readonly isFaceEnough: boolean;
  readonly document: IdDocument;
  /** The scenario selected in the sandbox, if any. */
  readonly outcome: string | null;
}

export interface ProgressStore {
  load(): Progress | null;
  /** Saves the progress. Null deletes the saved progress. */
  save(progress: Progress | null): void;
}

/** Creates a store in the tab's session storage. If there is no storage, a reload starts over. */
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
  const { index, isFaceEnough, document, outcome }: Partial<Record<keyof Progress, unknown>> =
    value;
  if (typeof index !== 'number' || !Number.isInteger(index) || index < 0) return null;
  return {
    index,
    isFaceEnough: isFaceEnough !== false,
    document: DOCUMENTS.find((one) => one === document) ?? 'id_card',
    outcome: typeof outcome === 'string' ? outcome : null,
  };
}
