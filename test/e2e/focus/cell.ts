/** Plays one action of a shopper with real windows and checks the SDK's result. */
import { setTimeout as sleep } from 'node:timers/promises';
import { PAST_EVERY_GRACE_MS } from '../scenarios/merchant-page.ts';
import { startBrowser, type Browser, type Engine } from './browsers.ts';
import type { Cell, Kind } from './cells.ts';
import { startDesktop, type Desktop, type DesktopWindow } from './desktop.ts';
import type { Scene, Stage } from './stage.ts';

export interface Played {
  readonly cell: Cell;
  /** The SDK's mistake, if it made one. */
  readonly fault?: string;
  /**
   * Moment of the shopper's return or close, counted from the arrival of the page that COOP may have cut
   * off: the hosted page, or the page after it. In milliseconds; undefined if one of the two is unknown.
   */
  readonly offsetMs?: number;
  /** Time from the shop's focus event after the close until the promise settles, in milliseconds. */
  readonly noticedMs?: number;
  /** The notes of the pages except `ready`, in order, each with the milliseconds since the click. */
  readonly story: string;
}

/** Time limit for detecting a real close. */
const NOTICE_MS = 2000;
const SETTLE_MS = 300;
const WINDOW_MS = 5000;
const ATTEMPTS = 3;

/** A desktop with one browser, which plays the cells one after the other. */
export interface Workstation {
  /**
   * Plays a cell. If the browser or the desktop fails, which says nothing about the SDK, plays it again
   * with a new browser, at most three times in all.
   */
  play(cell: Cell): Promise<Played>;
  stop(): Promise<void>;
}

export async function startWorkstation(
  stage: Stage,
  name: string,
  engine: Engine,
): Promise<Workstation> {
  const desktop = await startDesktop();
  let browser: Browser | undefined;
  return {
    async play(cell) {
      for (let attempt = 1; ; attempt += 1) {
        browser ??= await startBrowser(engine, desktop, stage.idleUrl(name));
        try {
          return await playCell(stage, name, desktop, cell);
        } catch (error) {
          await browser.stop();
          browser = undefined;
          if (attempt === ATTEMPTS) throw error;
          console.warn(`Restarting ${engine}: ${String(error)}`);
        }
      }
    },
    async stop() {
      await browser?.stop();
      await desktop.stop();
    },
  };
}

async function playCell(stage: Stage, name: string, desktop: Desktop, cell: Cell): Promise<Played> {
  const scene = await stage.play(name, cell);
  const shop = await findShop(desktop);
  await desktop.activate(shop.id);
  await sleep(SETTLE_MS);
  await desktop.click(shop.id);
  const { atMs: clickedAtMs } = await scene.waitForNote('click');
  const at = (ms: number): Promise<unknown> =>
    sleep(Math.max(0, clickedAtMs + ms - performance.now()));

  if (cell.focusAtMs !== undefined) {
    await at(cell.focusAtMs);
    await goToShop(desktop, shop);
  }
  if (cell.closeAtMs !== undefined) {
    await at(cell.closeAtMs);
    // Before the window has the focus, the keys would close the shop.
    await scene.waitForNote('blur');
    const actedAtMs = performance.now();
    await desktop.press(cell.target === 'tab' ? 'ctrl+w' : 'alt+F4');
    await scene.waitForNote('resolved', NOTICE_MS + 1500).catch(() => {});
    return finish(stage, scene, { clickedAtMs, actedAtMs });
  }
  const cutAtMs = cell.createMs + cell.hostedMs + (cell.hopMs ?? 0);
  const actedAtMs = cell.focusAtMs === undefined ? undefined : clickedAtMs + cell.focusAtMs;
  await at(Math.max(cutAtMs, cell.focusAtMs ?? 0) + PAST_EVERY_GRACE_MS);
  return finish(stage, scene, { clickedAtMs, actedAtMs });
}

/** Waits for the shop's window, which gets its title shortly after the page is shown. */
async function findShop(desktop: Desktop): Promise<DesktopWindow> {
  for (const endMs = performance.now() + WINDOW_MS; performance.now() < endMs; await sleep(100)) {
    const shop = (await desktop.windows()).find(isShop);
    if (shop) return shop;
  }
  throw new Error('There is no window with the shop');
}

const isShop = ({ title }: DesktopWindow): boolean => /^(\[Private\] )?Shop/.test(title);

/** Activates the shop's window or tab. MiniBrowser opens a separate window for a tab too. */
async function goToShop(desktop: Desktop, shop: DesktopWindow): Promise<void> {
  const shown = (await desktop.windows()).find(({ id }) => id === shop.id);
  if (shown && isShop(shown)) await desktop.activate(shop.id);
  else await desktop.press('ctrl+Page_Up');
}

/** Moments of a cell, in milliseconds of `performance.now()`. */
interface Moments {
  readonly clickedAtMs: number;
  /** The shopper's return or close. */
  readonly actedAtMs: number | undefined;
}

function finish(stage: Stage, scene: Scene, { clickedAtMs, actedAtMs }: Moments): Played {
  const { cell, notes } = scene;
  const story = notes
    .filter(({ words }) => words[0] !== 'ready')
    .map(({ atMs, words }) => `${Math.round(atMs - clickedAtMs)} ${words.join(' ')}`)
    .join(', ');
  const ended = notes.find(({ words }) => words[0] === 'resolved' || words[0] === 'rejected');
  const isOpen = scene.alivePages() > 0;
  stage.leave(scene);
  const { closeAtMs } = cell;
  const arrival = notes.findLast(({ words }) => words[0] === 'bank' || words[0] === 'hosted');
  const focus = notes.find(({ words, atMs }) => words[0] === 'focus' && atMs > (actedAtMs ?? 0));
  const offsetMs =
    actedAtMs !== undefined && arrival ? Math.round(actedAtMs - arrival.atMs) : undefined;
  const played = { cell, story, ...(offsetMs === undefined ? {} : { offsetMs }) };
  if (closeAtMs === undefined) {
    if (!isOpen) throw new Error(`The verification did not stay open: ${story}`);
    return ended ? { ...played, fault: `ended as ${ended.words.join(' ')}` } : played;
  }
  if (isOpen) throw new Error(`The verification was not closed: ${story}`);
  if (!ended) return { ...played, fault: 'the close was not detected' };
  if (!focus) throw new Error(`The shop got no focus with the close: ${story}`);
  const noticedMs = Math.round(ended.atMs - focus.atMs);
  const outcome = ended.words.join(' ');
  const isExpected = /^resolved cancelled closed(_before_start)?$/.test(outcome);
  if (isExpected && noticedMs <= NOTICE_MS) return { ...played, noticedMs };
  return { ...played, noticedMs, fault: `${outcome} after ${noticedMs} ms` };
}

export function describeCell(cell: Cell): string {
  const { engine, kind, target, shop = 'none', hosted = 'none', focusAtMs, closeAtMs } = cell;
  const hop = HOPS[kind] ?? '';
  const when = kind === 'loading' ? ' while it loads' : ` after ${closeAtMs} ms`;
  const deed =
    closeAtMs === undefined
      ? `shopper ${focusAtMs === undefined ? 'does not return' : `returns after ${focusAtMs} ms`}`
      : `shopper closes the window${when}`;
  return `${engine} ${target}, COOP of shop ${shop} and of hosted page ${hosted}${hop}, ${deed}`;
}

const HOPS: { readonly [kind in Kind]?: string } = {
  hop: ', then navigation to a bank',
  announced: ', then announced navigation to a bank',
  challenge: ', then a challenge with COOP',
};
