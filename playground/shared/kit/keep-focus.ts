/** Selects the elements that can take over the focus. A text field would open the keyboard of a phone. */
const TAKERS = 'a[href], button, select, summary, [type=checkbox]';

/** Selects the headings that can take it. They come first, because they say where the user is now. */
const HEADINGS = ':is(h1, h2, h3)[tabindex]';

/** Selects the elements in which nothing can have the focus. */
const CLOSED = '[hidden], details:not([open]) > :not(summary), dialog:not([open])';

/** The focused element with its ancestors, and the index of each in its parent. The nearest comes first. */
interface Place {
  readonly element: Element;
  readonly path: readonly { readonly parent: Element; readonly index: number }[];
}

/**
 * Moves the focus to a control nearby when the focused one is removed, hidden or disabled. Otherwise a
 * keyboard user would start again at the top of the page.
 */
export function keepFocus(): void {
  let place: Place | null = null;
  const onChange = (): void => {
    if (place === null) return;
    const active = document.activeElement ?? document.body;
    if (active !== place.element && active !== document.body) return;
    if (!isGone(place.element)) {
      // The user has clicked beside the controls.
      if (active === document.body) place = null;
      return;
    }
    moveFocus(place);
  };
  const changes = new MutationObserver(onChange);
  changes.observe(document, {
    childList: true,
    subtree: true,
    attributeFilter: ['disabled', 'hidden', 'open'],
  });
  document.addEventListener('focusin', ({ target }) => {
    place = toPlace(target as Element);
  });
  // Some browsers report it before they remove the element, so this looks once the change is complete.
  document.addEventListener('focusout', () => queueMicrotask(onChange));
  place = toPlace(document.activeElement ?? document.body);
}

function toPlace(element: Element): Place | null {
  if (element === document.body) return null;
  const path: { parent: Element; index: number }[] = [];
  for (let child = element; child.parentElement !== null; child = child.parentElement) {
    const parent = child.parentElement;
    path.push({ parent, index: [...parent.children].indexOf(child) });
  }
  return { element, path };
}

const isGone = (element: Element): boolean =>
  !element.isConnected || element.matches(':disabled') || element.closest(CLOSED) !== null;

/**
 * Focuses a heading in the nearest ancestor, or else the first control after the place, or the last one
 * before it.
 */
function moveFocus({ element, path }: Place): void {
  for (const { parent, index } of path) {
    if (!parent.isConnected) continue;
    const children = [...parent.children];
    const after = children.slice(index).flatMap(findTakers);
    const before = children.slice(0, index).flatMap(findTakers).toReversed();
    const headings = parent.querySelectorAll<HTMLElement>(HEADINGS);
    for (const taker of [...headings, ...after, ...before]) {
      if (taker === element) continue;
      // A page that scrolls during a click would move its target away.
      taker.focus({ preventScroll: true });
      if (document.activeElement !== taker) continue;
      if (taker.matches(':focus-visible')) taker.scrollIntoView({ block: 'nearest' });
      return;
    }
  }
}

const findTakers = (root: Element): HTMLElement[] => [
  ...(root.matches(TAKERS) ? [root as HTMLElement] : []),
  ...root.querySelectorAll<HTMLElement>(TAKERS),
];
