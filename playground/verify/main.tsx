/** The hosted page. */
import { computed, effect, signal, untracked } from '@preact/signals';
import '../shared/base.css';
import './verify.css';
import { noteLeave } from '../shared/outbox.ts';
import { IS_STATIC, STATIC_API_ORIGIN } from '../shared/site.ts';
import { createCamera, facingFor } from './camera.ts';
import { createFlow } from './flow.ts';
import { type HostedApi, createHostedApi } from './hosted-api.ts';
import { isLoopback, resolveLanguage } from './language.ts';
import { leavePage } from './leave-page.ts';
import { parsePageAddress } from './addresses.ts';
import { type Page, isSandbox } from './page.ts';
import { announcePresence } from './presence.ts';
import { createProgressStore } from './progress.ts';
import { DEFAULT_OUTCOME } from './steps.ts';
import { App } from './views/app.tsx';
import { renderPage } from '../shared/kit/render-page.ts';

const POLL_MS = 2_000;
/**
 * Delay before the shop is notified in the static playground, where this page also delivers the webhooks.
 * The shop closes the page as soon as it is notified.
 */
const DELIVERY_MS = IS_STATIC ? 500 : 0;

const address = parsePageAddress(location.search);
const origin = IS_STATIC ? STATIC_API_ORIGIN : location.origin;
const outcome = signal<string>(DEFAULT_OUTCOME);
const isBlurred = signal(false);

const flow = createFlow({
  api: createApi(),
  skipIntro: address.skipIntro,
  autoReturn: address.autoReturn,
  chosenOutcome: () => (isSandbox({ flow }) ? outcome.value : null),
  chooseOutcome: (name) => (outcome.value = name),
  isHidden: () => document.visibilityState === 'hidden',
  takeBlur: () => {
    const wasBlurred = isBlurred.value;
    isBlurred.value = false;
    return wasBlurred;
  },
  progress: createProgressStore(address.sessionId ?? '', () => sessionStorage),
  leavePage: (ending) => leavePage(ending, DELIVERY_MS),
  wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
});
// `mediaDevices` is missing in insecure contexts, although its type says that it always exists.
const camera = createCamera(navigator.mediaDevices as MediaDevices | undefined);
const language = signal(resolveLanguage(address.lang, navigator.languages, location.hostname));
const serverReach = isLoopback(location.hostname) ? 'computer' : 'anywhere';
const reach = IS_STATIC ? 'browser' : serverReach;
const page: Page = {
  flow,
  camera,
  language,
  outcome,
  isBlurred,
  isPrivacyOpen: signal(false),
  reach,
};

const root = document.getElementById('app');
renderPage(<App page={page} />, root);
// The camera is on only while a picture is being taken.
effect(() => {
  const view = flow.view.value;
  if (view.name === 'capture') void camera.open(facingFor(view.step));
  else camera.close();
});
// The page announces itself when the session is known, because the shop's origin is not known before. It
// does so again whenever the shopper comes back to the page.
const known = computed(() => flow.session.value !== null);
const announce = (present: boolean | null): void => {
  if (flow.session.value) announcePresence(flow.session.value, present);
};
effect(() => {
  if (known.value) untracked(() => announce(true));
});
void start();

async function start(): Promise<void> {
  // The condition is written out instead of IS_STATIC, so that a build for the server omits the service.
  if (import.meta.env.MODE === 'static') {
    const { openStaticService } = await import('../shared/static-service.ts');
    await openStaticService();
  }
  listen();
  await flow.load();
}

/** Adds the page's listeners. Runs before the first view, because a shopper may leave at once. */
function listen(): void {
  const refresh = (): void => void flow.refresh();
  // Polls do not overlap, because a browser allows only six connections to a host.
  let isPolling = false;
  setInterval(() => {
    if (isPolling) return;
    isPolling = true;
    void flow.refresh().finally(() => (isPolling = false));
  }, POLL_MS);
  document.addEventListener('visibilitychange', () => {
    // Refreshes only when the page becomes visible. A closing page becomes hidden right after `pagehide`,
    // and a request would then revoke the leave.
    if (document.visibilityState === 'visible') refresh();
    else flow.pause();
  });
  // Closing the page does not notify the shop, because a reload fires the same event and the shop would
  // take it for the end. The service waits a moment, and any later request, such as the one on `pageshow`,
  // revokes the leave.
  window.addEventListener('pagehide', () => {
    flow.pause();
    flow.leave();
  });
  window.addEventListener('pageshow', refresh);
  window.addEventListener('pageshow', () => announce(true));
  // A page of this origin that follows may have COOP, for example a challenge of a CDN. Safari on iOS has no
  // `beforeunload`, and the other browsers drop some messages sent from `pagehide`.
  for (const type of ['beforeunload', 'pagehide'])
    window.addEventListener(type, () => announce(null));
}

function createApi(): HostedApi | null {
  const { sessionId, token } = address;
  if (!sessionId || !token) return null;
  const api = createHostedApi(origin, token);
  // A service worker does not answer for a closed page. Another page of the playground sends the leave
  // instead.
  return IS_STATIC ? { ...api, leave: () => noteLeave(token) } : api;
}
