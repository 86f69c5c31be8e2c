import type { RefObject } from 'preact';
import { useLayoutEffect } from 'preact/hooks';

/**
 * Keeps the keyboard focus on its row when a group moves. The browser drops the focus from an element that is
 * moved, and a row that joins another group is created anew.
 * @param list The element with all rows
 */
export function useKeptRow(list: RefObject<HTMLElement | null>): void {
  // While it renders, the document is still as it was.
  const focused = document.activeElement;
  const before = list.current?.contains(focused) ? focused : null;
  useLayoutEffect(() => {
    if (before === null || document.activeElement !== document.body) return;
    const target = before.isConnected ? before : findAgain(list.current, before);
    if (target instanceof HTMLElement) target.focus({ preventScroll: true });
  });
}

/** Finds the summary of the row that has replaced a removed one. */
function findAgain(list: HTMLElement | null, removed: Element): Element | null {
  const id = removed.closest<HTMLElement>('details[data-id]')?.dataset['id'];
  if (id === undefined || list === null) return null;
  return list.querySelector(`details[data-id="${CSS.escape(id)}"] > summary`);
}
