import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';

const FIELDS = 'input, select, textarea, [contenteditable]';

/** True from the press of the key until the view that it opened has focused its search field. */
let isSearchRequested = false;

/**
 * Focuses the search field when the user presses Ctrl+K or, on a Mac, Command+K. If the view has none, calls `openSearch`, and the
 * opened view calls `useRequestedSearch`. A key without a modifier would disturb users of speech input, who
 * press keys without intent ({@link https://www.w3.org/TR/WCAG22/#character-key-shortcuts WCAG 2.1.4}).
 */
export function useSearchKey(openSearch: () => void): void {
  const latest = useRef(openSearch);
  latest.current = openSearch;
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      const { key, ctrlKey, metaKey, altKey, shiftKey, target } = event;
      const isEditing = target instanceof Element && target.closest(`${FIELDS}, dialog`) !== null;
      const isSearchKey = key.toLowerCase() === 'k' && ctrlKey !== metaKey && !altKey && !shiftKey;
      if (!isSearchKey || isEditing) return;
      event.preventDefault();
      if (focusSearch()) return;
      isSearchRequested = true;
      latest.current();
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, []);
}

/**
 * Focuses the search field of a view that was opened by the key. It does so in a layout effect, because
 * the heading takes the focus in an effect unless a field has it.
 */
export function useRequestedSearch(): void {
  useLayoutEffect(() => {
    if (isSearchRequested) focusSearch();
    isSearchRequested = false;
  }, []);
}

function focusSearch(): boolean {
  const field = document.querySelector<HTMLInputElement>('main input[type="search"]');
  field?.focus();
  field?.select();
  return field !== null;
}
