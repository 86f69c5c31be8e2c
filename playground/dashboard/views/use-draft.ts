import { useLayoutEffect, useState } from 'preact/hooks';
import { createDraft, type Draft } from '../draft.ts';

/** Creates a draft of the saved values and keeps it up to date. */
export function useDraft<T extends object>(saved: T): Draft<T> {
  const [draft] = useState(() => createDraft(saved));
  // A layout effect runs before the next paint, so that the user cannot edit the old values in between.
  useLayoutEffect(() => draft.follow(saved), [JSON.stringify(saved)]);
  return draft;
}
