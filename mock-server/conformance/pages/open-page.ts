import { setTimeout as wait } from 'node:timers/promises';
import type { ContextLike, PageLike } from './browser-like.ts';

/**
 * A page in the browser. Its members only use what can be observed from outside, so they fit the page of
 * any implementation.
 */
export interface OpenPage {
  /** The status of the page's own response. */
  readonly status: number;
  readonly contentType: string;
  /** The addresses of the shop to which the page has navigated. The kit answers there. */
  readonly left: readonly string[];
  address(): string;
  /** Returns the language that the page declares, or an empty string. */
  language(): Promise<string>;
  /** Returns the number of times that the page has asked for the camera. */
  cameraRequests(): Promise<number>;
  /** Waits until the condition holds. Resolves to false if it does not hold in time. */
  waitUntil(isDone: () => boolean | Promise<boolean>): Promise<boolean>;
  close(): Promise<void>;
}

/** The script of each page that counts its requests for the camera. */
export const COUNT_CAMERA_REQUESTS = `{
  let requests = 0;
  Object.defineProperty(globalThis, 'conformanceCameraRequests', { get: () => requests });
  // MediaDevices is missing in an insecure context.
  const devices = globalThis.MediaDevices?.prototype;
  const { getUserMedia } = devices ?? {};
  if (getUserMedia) devices.getUserMedia = function (...constraints) {
    requests += 1;
    return getUserMedia.apply(this, constraints);
  };
}`;

const POLL_MS = 50;
/** The maximum time to wait for the response to one command. */
const COMMAND_MS = 5_000;
/**
 * The time by which the page's clock moves between two polls. That is ten times as fast as real time, and
 * slow enough for the time limits of the page's requests.
 */
const STEP_MS = 500;

export interface PageTiming {
  /** True if the kit moves the page's timers while it waits for the page. */
  readonly hasClock: boolean;
  /** The maximum time to wait for a page, in milliseconds. */
  readonly patienceMs: number;
}

/**
 * @param shopUrls The addresses, without a query, at which the kit answers instead of the shop
 */
export async function openPage(
  context: ContextLike,
  url: string,
  shopUrls: readonly string[],
  { hasClock, patienceMs }: PageTiming,
): Promise<OpenPage> {
  const page = await context.newPage();
  const isOfShop = (address: string): boolean => shopUrls.some((shop) => address.startsWith(shop));
  const left: string[] = [];
  // Playwright reports a redirect by the server here, but does not route it.
  page.on('request', (request) => {
    if (!request.isNavigationRequest() || request.frame() !== page.mainFrame()) return;
    if (isOfShop(request.url())) left.push(request.url());
  });
  await page.route(
    ({ href }) => isOfShop(href),
    (route) => route.fulfill({ contentType: 'text/html', body: '' }),
  );
  const response = await page.goto(url);
  return {
    status: response?.status() ?? 0,
    contentType: response?.headers()['content-type'] ?? 'none',
    left,
    address: () => page.url(),
    language: async () => String(await evaluate(page, 'document.documentElement.lang')),
    cameraRequests: async () => Number(await evaluate(page, 'conformanceCameraRequests')),
    async waitUntil(isDone) {
      const endMs = Date.now() + patienceMs;
      while (!(await isDone())) {
        if (Date.now() > endMs) return false;
        await wait(POLL_MS);
        if (hasClock) await whileNavigating(page.clock.fastForward(STEP_MS));
      }
      return true;
    },
    close: () => page.close(),
  };
}

async function evaluate(page: PageLike, expression: string): Promise<unknown> {
  return (await whileNavigating(page.evaluate(expression))) ?? '';
}

/**
 * Resolves to undefined if the page navigates away in the meantime, or if there is no response in time,
 * because the browser may leave such a command without a response.
 */
async function whileNavigating<T>(work: Promise<T>): Promise<T | undefined> {
  let stopWaiting = (): void => {};
  const isOver = new Promise<undefined>((resolve) => {
    const timer = setTimeout(() => resolve(undefined), COMMAND_MS);
    stopWaiting = () => clearTimeout(timer);
  });
  try {
    return await Promise.race([work, isOver]);
  } catch (error) {
    if (/navigation|context was destroyed/i.test(String(error))) return undefined;
    throw error;
  } finally {
    stopWaiting();
  }
}
