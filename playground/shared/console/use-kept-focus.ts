import type { RefObject } from 'preact';
import { useLayoutEffect } from 'preact/hooks';

/** Headings only where they can take the focus. */
const TAKERS = 'h2[tabindex], a[href], button:not(:disabled)';

/**
 * Hands the focus on where the control that has it goes, to the first thing there that takes it;
 * otherwise whoever works by keyboard would begin at the top of the page again. Call it in the
 * component that draws the control.
 */
export function useKeptFocus(place: RefObject<HTMLElement | null>): void {
  const hadFocus = place.current?.contains(document.activeElement) ?? false;
  useLayoutEffect(() => {
    if (!hadFocus || document.activeElement !== document.body) return;
    place.current?.querySelector<HTMLElement>(TAKERS)?.focus();
  });
}
