import type { RefObject } from 'preact';
import { useLayoutEffect } from 'preact/hooks';

/** Selects the elements that can take focus. A heading needs a `tabindex` for that. */
const TAKERS = 'h2[tabindex], a[href], button:not(:disabled)';

/**
 * Moves focus to the first focusable element in `place` when the focused control there is removed.
 * Otherwise a keyboard user would start again at the top of the page. Call it in the component that renders
 * the control.
 */
export function useKeptFocus(place: RefObject<HTMLElement | null>): void {
  const hadFocus = place.current?.contains(document.activeElement) ?? false;
  useLayoutEffect(() => {
    if (!hadFocus || document.activeElement !== document.body) return;
    place.current?.querySelector<HTMLElement>(TAKERS)?.focus();
  });
}
