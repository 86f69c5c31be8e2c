/**
 * The hosted verification page.
 *
 * For tests: `main[data-view]` names the view (loading, intro, capture, processing, retake, resume,
 * handoff, following, result, notice); `main[data-step]` the picture (face, front, back, selfie).
 * data-testid: start, capture (takes the picture, with a camera or without), camera[data-camera],
 * camera-retry, retake, resume, handoff, handoff-link, qr, continue-here, cancel, back, retry,
 * countdown, language, outcome (the sandbox's chooser), blurred, preset-outcome, sandbox-banner,
 * result[data-status], notice[data-kind], billing-message.
 */
import { computed, effect, signal, untracked } from '@preact/signals';
import { render } from 'preact';
import '../shared/base.css';
import './verify.css';
import { noteLeave } from '../shared/leave-outbox.ts';
import { IS_STATIC, STATIC_API_ORIGIN } from '../shared/site.ts';
import { createCamera, facingFor } from './camera.ts';
import { createFlow } from './flow.ts';
import { type HostedApi, createHostedApi } from './hosted-api.ts';
import { isLoopback, resolveLanguage } from './language.ts';
import { leavePage } from './leave-page.ts';
import { parsePageAddress } from './page-address.ts';
import type { Page } from './page.ts';
import { announcePresence } from './presence.ts';
import { createProgressStore } from './progress.ts';
import { PASSED, type Scenario, loadScenarios } from './scenarios.ts';
import { App } from './views/app.tsx';

const POLL_MS = 2_000;
/** In the static playground this page delivers webhooks too, and the shop closes it on the message. */
const DELIVERY_MS = 500;

const address = parsePageAddress(location.search);
const origin = IS_STATIC ? STATIC_API_ORIGIN : location.origin;
const outcome = signal(PASSED.name);
const isBlurred = signal(false);
// Until the catalogue is here, the one that is chosen, or would be if nobody chose: what came later would
// push everything below it out from under a finger.
const scenarios = signal<readonly Scenario[]>([PASSED]);

const flow = createFlow({
  api: createApi(),
  skipIntro: address.skipIntro,
  autoReturn: address.autoReturn,
  chosenOutcome: () => (flow.session.value?.sandboxMode ? outcome.value : null),
  chooseOutcome: (name) => {
    outcome.value = name;
    scenarios.value = [{ ...PASSED, name, title: name }];
  },
  isHidden: () => document.visibilityState === 'hidden',
  takeBlur: () => {
    const wasBlurred = isBlurred.value;
    isBlurred.value = false;
    return wasBlurred;
  },
  progress: createProgressStore(address.sessionId ?? '', () => sessionStorage),
  leavePage: (ending) => {
    if (IS_STATIC) setTimeout(leavePage, DELIVERY_MS, ending);
    else leavePage(ending);
  },
  wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
});
// Typed as always there, and it is not: only secure pages have it.
const camera = createCamera(navigator.mediaDevices as MediaDevices | undefined);
const language = signal(resolveLanguage(address.lang, navigator.languages, location.hostname));
const reach = IS_STATIC ? 'browser' : isLoopback(location.hostname) ? 'computer' : 'anywhere';
const page: Page = { flow, camera, language, scenarios, outcome, isBlurred, reach };

const root = document.getElementById('app');
if (root) render(<App page={page} />, root);
// The camera is on while a picture is being taken, and at no other time.
effect(() => {
  const view = flow.view.value;
  if (view.name === 'capture') void camera.open(facingFor(view.step));
  else camera.close();
});
// Said once, when it is known whom to tell, and again whenever the shopper comes back to the page.
const known = computed(() => flow.session.value !== null);
const announce = (): void => {
  if (flow.session.value) announcePresence(flow.session.value, true);
};
effect(() => {
  if (known.value) untracked(announce);
});
// The session may be heard of only at a second try.
const isSandbox = computed(() => flow.session.value?.sandboxMode === true);
effect(() => {
  if (isSandbox.value) void loadScenarios(origin).then((loaded) => (scenarios.value = loaded));
});
void start();

async function start(): Promise<void> {
  // Spelled out and not IS_STATIC, so that a build for the server leaves the whole service out.
  if (import.meta.env.MODE === 'static') {
    const { startStaticMode } = await import('../shared/static-mode.ts');
    await startStaticMode();
  }
  listen();
  await flow.load();
}

/** Before there is anything to see: whoever closes the page at once has left it as well. */
function listen(): void {
  const refresh = (): void => void flow.refresh();
  // One at a time: a browser allows six connections to a host, and the answers must get through.
  let isPolling = false;
  setInterval(() => {
    if (isPolling) return;
    isPolling = true;
    void flow.refresh().finally(() => (isPolling = false));
  }, POLL_MS);
  document.addEventListener('visibilitychange', () => {
    // Only when it comes up: a closing page is hidden too, right after `pagehide`, and a call would then
    // take the farewell back.
    if (document.visibilityState === 'visible') refresh();
    else flow.pause();
  });
  // Leaving is no message to the shop: a reload leaves too, and the shop would take it for the end.
  // The service waits a moment, and any later call, such as the one on `pageshow`, takes it back.
  window.addEventListener('pagehide', () => {
    flow.pause();
    flow.leave();
  });
  window.addEventListener('pageshow', refresh);
  window.addEventListener('pageshow', announce);
}

function createApi(): HostedApi | null {
  const { sessionId, token } = address;
  if (!sessionId || !token) return null;
  const api = createHostedApi(origin, token);
  // A worker does not answer for a page that is gone; another page of the playground will.
  return IS_STATIC ? { ...api, leave: () => noteLeave(token) } : api;
}
