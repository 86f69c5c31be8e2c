import { useLayoutEffect, useState } from 'preact/hooks';
import { createDraft, type Draft } from '../draft.ts';

/** A draft of what is saved. */
export function useDraft<T extends object>(saved: T): Draft<T> {
  const [draft] = useState(() => createDraft(saved));
  // Before anything is painted: what is not taken over yet would be taken for typed.
  useLayoutEffect(() => draft.follow(saved), [JSON.stringify(saved)]);
  return draft;
}
