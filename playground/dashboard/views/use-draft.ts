import { type Signal, useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';

/** What is being edited: begins with what is saved, and follows it when that changes. */
export function useDraft<T extends object>(saved: T): Signal<T> {
  const draft = useSignal(saved);
  const text = JSON.stringify(saved);
  const shown = useRef(text);
  useEffect(() => {
    if (shown.current === text) return;
    shown.current = text;
    draft.value = saved;
  }, [text]);
  return draft;
}
