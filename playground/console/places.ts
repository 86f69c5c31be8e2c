import { tabStorage } from '../shared/text-storage.ts';

/** The scroll position and the focus in a view of the console. */
interface Place {
  readonly scrollY: number;
  /** The `href` of the link that had the focus, or null. */
  readonly href: string | null;
}

interface EntryState {
  readonly placeKey?: string;
}

/** The key of the places in the session storage, which keeps them while another page is open. */
const STORAGE_KEY = 'ofage-console-places';

/** The time after which the page stops waiting for the content at the remembered position. */
const CONTENT_WAIT_MS = 5_000;

/** The places by the key of their history entry. */
const places = new Map<string, Place>();
let currentKey = '';
/** The number of keys that this page has given to history entries. */
let added = 0;
/**
 * The place to return to in the current history entry. Null if there is none, once the page has returned to
 * it, or after the user has clicked, typed or scrolled.
 */
let wanted: Place | null = null;
let stopWaiting = (): void => {};

/**
 * Remembers the scroll position and the focused link of each history entry, so that Back and Forward
 * restore them. The browser cannot do this itself, because it scrolls before the view is rendered. Call it
 * before any other listener for `hashchange` is added, because those listeners change the page.
 */
export function rememberPlaces(): void {
  history.scrollRestoration = 'manual';
  restorePlaces();
  currentKey = readKey() ?? addKey();
  wanted = places.get(currentKey) ?? null;
  window.addEventListener('hashchange', () => {
    stopWaiting();
    places.set(currentKey, readPlace());
    currentKey = readKey() ?? addKey();
    wanted = places.get(currentKey) ?? null;
  });
  window.addEventListener('pagehide', () => {
    places.set(currentKey, readPlace());
    tabStorage.setItem(STORAGE_KEY, JSON.stringify([...places]));
  });
}

/** Returns true while the page has to return to a place. Views must not move the focus then. */
export function isReturning(): boolean {
  return wanted !== null;
}

/**
 * Returns to the place of the current history entry as soon as the content there is rendered, or after
 * CONTENT_WAIT_MS at the latest. Stops if the user clicks, types or scrolls first.
 */
export function returnToPlace(): void {
  if (wanted === null) return;
  const place = wanted;
  const observer = new MutationObserver(() => tryNow());
  const timer = setTimeout(() => finish(), CONTENT_WAIT_MS);
  const userEvents = ['pointerdown', 'keydown', 'wheel'] as const;
  stopWaiting = (): void => {
    wanted = null;
    observer.disconnect();
    clearTimeout(timer);
    for (const name of userEvents) window.removeEventListener(name, stopWaiting);
  };
  const finish = (): void => {
    stopWaiting();
    window.scrollTo(0, place.scrollY);
    const target = findLink(place.href) ?? document.querySelector<HTMLElement>('h1');
    target?.focus({ preventScroll: true });
    // A keyboard user must see the link that has the focus.
    if (target?.matches('a:focus-visible')) target.scrollIntoView({ block: 'nearest' });
  };
  const tryNow = (): void => {
    const { scrollHeight } = document.documentElement;
    const isHighEnough = scrollHeight >= place.scrollY + window.innerHeight;
    if (isHighEnough && (place.href === null || findLink(place.href))) finish();
  };
  observer.observe(document.body, { childList: true, subtree: true });
  for (const name of userEvents) window.addEventListener(name, stopWaiting);
  tryNow();
}

function findLink(href: string | null): HTMLAnchorElement | undefined {
  if (href === null) return undefined;
  const links = document.querySelectorAll<HTMLAnchorElement>('.page a[href]:not(dialog *)');
  return [...links].find((link) => link.getAttribute('href') === href);
}

function readPlace(): Place {
  // After a reload, a dialog is closed. The same link elsewhere on the page is another place.
  const link = document.activeElement?.closest('.page a[href]:not(dialog *)');
  return { scrollY: window.scrollY, href: link?.getAttribute('href') ?? null };
}

/** Reads the places that the page stored when it was left. */
function restorePlaces(): void {
  const stored = JSON.parse(tabStorage.getItem(STORAGE_KEY) ?? '[]') as [string, Place][];
  for (const [key, place] of stored) places.set(key, place);
}

function readKey(): string | undefined {
  return (Object(history.state) as EntryState).placeKey;
}

function addKey(): string {
  added += 1;
  const placeKey = `${performance.timeOrigin} ${added}`;
  history.replaceState({ placeKey } satisfies EntryState, '');
  return placeKey;
}
