import { type ReadonlySignal, signal } from '@preact/signals';
import type { ScenarioName, SessionResource } from 'ofage-mock';
import type { Provider } from '../../shared/provider.ts';
import { sdk } from '../../shared/sdk.ts';
import { IS_STATIC, siteUrl } from '../../shared/site.ts';
import { isCompletion, toForgedMessage } from '../forged-message.ts';
import { type LabFrame, openLabFrame } from '../frame/lab-frame.ts';
import { type NewestSession, followNewestSession } from '../newest-session.ts';
import { toLabCustomer } from '../../demo-backend/lab-mark.ts';
import {
  type PopupEntry,
  type PopupScenarioId,
  type SdkReport,
  toReport,
  toReportLine,
} from './scenarios.ts';

/** A running or finished scenario, as the page shows it. */
export interface PopupRun {
  readonly id: PopupScenarioId;
  readonly record: RunRecord;
  /** Ends the run and closes its window. */
  end(): void;
}

/** The duration of a slow create call. */
const SLOW_MS = 3_000;
/**
 * Delay before the lab acts on the window. It is longer than the time after which the SDK counts a window
 * as working.
 */
const SHOWN_MS = 900;
const CLICK_DELAY_MS = 1_000;

/** Starts a scenario. Must be called in the click, because a window opens only then. */
export function startRun(id: PopupScenarioId, ports: RunPorts): PopupRun {
  const run = createRun(id, ports);
  SCENES[id](run);
  return { id, record: run.record, end: () => endRun(run) };
}

const SCENES: Readonly<Record<PopupScenarioId, (run: OpenRun) => void>> = {
  blocked: (run) => void verifyInFrame(run),

  too_late(run) {
    run.record.note('lab', 'waits until the click no longer allows a window');
    void whenClickIsOver().then(() => openWindow(run));
  },

  coop(run) {
    openWindow(run, {
      changeVerifyUrl(verifyUrl, createUrl) {
        const own = toOwnPage(verifyUrl, createUrl);
        return `${new URL('labs/coop/', new URL('..', own))}?next=${encodeURIComponent(own)}`;
      },
    });
    run.record.note('lab', 'opens a page that sends COOP before the hosted page');
    void settle(run, 'verified');
  },

  opener_lost(run) {
    const handle = openWindow(run);
    if (handle) handle.opener = null;
    run.record.note('lab', 'removes the opener of the window');
    void settle(run, 'verified');
  },

  closed_early(run) {
    openWindow(run);
    void run.newest.whenOpen().then(() => after(run, SHOWN_MS, () => closeWindow(run)));
  },

  closed_before_start(run) {
    openWindow(run, { createDelayMs: SLOW_MS });
    after(run, SHOWN_MS, () => closeWindow(run));
  },

  closed_after(run) {
    closeAtMessage(run);
    openWindow(run);
    void settle(run, 'verified');
  },

  slow_create(run) {
    openWindow(run, { createDelayMs: SLOW_MS });
    run.record.note('lab', `delays the create call for ${SLOW_MS / 1_000} s`);
    void settle(run, 'verified');
  },

  forged(run) {
    openWindow(run);
    void run.newest
      .whenOpen()
      .then(() => forgeMessage(run))
      .then(() => after(run, SHOWN_MS, () => void settle(run, 'cancelled')));
  },
};

/**
 * Returns the hosted page's address on the origin of the mock itself. A public address of the mock has no labs.
 * @param createUrl The address of the create call.
 */
function toOwnPage(verifyUrl: string, createUrl: string): string {
  const { pathname, search } = new URL(verifyUrl);
  return IS_STATIC ? verifyUrl : new URL(pathname + search, createUrl).href;
}

/**
 * Resolves one second after the user activation has expired. If the browser does not report the expiry, it is
 * expected after six seconds, because most browsers let an activation last five.
 */
async function whenClickIsOver(): Promise<void> {
  const untilMs = performance.now() + 6_000;
  const isOver = (): boolean => {
    const { userActivation }: { userActivation?: UserActivation } = navigator;
    return userActivation ? !userActivation.isActive : performance.now() > untilMs;
  };
  while (!isOver()) await new Promise((resolve) => setTimeout(resolve, 100));
  // The browser's main process counts from the moment when it received the click, which is slightly later.
  await new Promise((resolve) => setTimeout(resolve, CLICK_DELAY_MS));
}

export interface RunPorts {
  readonly provider: Pick<Provider, 'client' | 'live'>;
  readonly publishableKey: string;
}

/** A run of a scenario: its record, its session and its window. */
interface OpenRun extends RunPorts {
  readonly record: RunRecord;
  readonly newest: NewestSession;
  readonly externalUserId: string;
  handle: Window | null;
  /** True once another run has replaced this one. What it was still waiting for must then do nothing. */
  isEnded: boolean;
  /** Clean-up functions, which run at the end. */
  readonly disposers: (() => void)[];
}

const LOOK_MS = 25;

function createRun(id: PopupScenarioId, ports: RunPorts): OpenRun {
  const record = createRunRecord();
  const externalUserId = toLabCustomer(`${id}-${crypto.randomUUID().slice(0, 8)}`);
  const newest = followNewestSession(ports.provider, externalUserId);
  const stopNoting = newest.session.subscribe((session) => {
    if (session) record.noteSession(session);
  });
  const stopWaiting = record.report.subscribe((report) => {
    if (report) newest.letSleep();
  });
  return {
    ...ports,
    record,
    newest,
    externalUserId,
    handle: null,
    isEnded: false,
    disposers: [record.end, stopNoting, stopWaiting, newest.close],
  };
}

function endRun(run: OpenRun): void {
  run.isEnded = true;
  for (const dispose of run.disposers) dispose();
}

/** Runs a function after a delay, unless the run has ended. */
function after(run: OpenRun, ms: number, act: () => void): void {
  if (run.isEnded) return;
  const timer = setTimeout(act, ms);
  run.disposers.push(() => clearTimeout(timer));
}

/** Calls `verify()` as the shop's page does, with the browser's calls intercepted. */
function openWindow(run: OpenRun, options: InterceptionOptions = {}): Window | null {
  const { record, disposers, publishableKey: apiKey, externalUserId } = run;
  if (run.isEnded) return null;
  try {
    const OfAge = sdk();
    const ofage = new OfAge({ apiKey, returnUrl: siteUrl('return/'), mode: 'new-tab' });
    disposers.push(() => ofage.destroy());
    record.note('sdk', 'verify() was called');
    const interception = interceptCalls(() => {
      ofage.verify({ externalUserId, skipIntro: true, autoReturn: true }).then(
        (result) => record.noteReport('resolved', result),
        (error: unknown) => record.noteReport('rejected', error),
      );
    }, options);
    run.handle = interception.handle;
    record.note(
      'window',
      interception.handle ? 'window.open returned a window' : 'window.open returned null',
    );
    watchHandle(run);
  } catch (error) {
    record.noteReport('rejected', error);
  }
  return run.handle;
}

function watchHandle({ record, handle, disposers }: OpenRun): void {
  const look = setInterval(() => handle && record.noteWindow(handle.closed), LOOK_MS);
  disposers.push(() => clearInterval(look));
}

/** Calls `verify()` in a frame that must not open windows. */
async function verifyInFrame(run: OpenRun): Promise<void> {
  const { record, publishableKey: apiKey, externalUserId } = run;
  const frame = await openFrame(run, {
    sandbox: 'allow-scripts allow-same-origin',
    hear(word) {
      if (word.frame === 'resolved') record.noteReport('resolved', word.result);
      if (word.frame === 'rejected') record.noteReport('rejected', word.error);
    },
  });
  if (frame === null) return;
  record.note('lab', 'puts a sandboxed frame into the page');
  record.note('sdk', 'verify() was called in the frame');
  frame.send({ do: 'verify', apiKey, returnUrl: siteUrl('return/'), externalUserId });
}

/** Posts a forged message of the hosted page from a frame. */
async function forgeMessage(run: OpenRun): Promise<void> {
  const message = toForgedMessage(run.newest.session.peek()?.id);
  const frame = await openFrame(run, {});
  if (frame === null) return;
  run.record.note('lab', 'a frame posts a forged message: verified');
  frame.send({ do: 'forge', message });
}

/** Opens a frame until the end of the run. Resolves to null if the run has ended before. */
async function openFrame(
  run: OpenRun,
  options: Parameters<typeof openLabFrame>[0],
): Promise<LabFrame | null> {
  const frame = await openLabFrame(options);
  if (run.isEnded) {
    frame.remove();
    return null;
  }
  run.disposers.push(() => frame.remove());
  return frame;
}

/** Settles the check once its page is open. */
async function settle(run: OpenRun, outcome: ScenarioName): Promise<void> {
  const { record, newest, provider } = run;
  const { id } = await newest.whenOpen();
  if (run.isEnded) return;
  record.note('lab', `ends the check for the shopper: ${outcome}`);
  await provider.client.settle(id, outcome);
}

function closeWindow({ record, handle }: OpenRun): void {
  record.note('lab', 'closes the window, as the shopper would');
  handle?.close();
}

/**
 * Closes the window on its completion message. Must be called before the SDK adds its listener, so that the
 * window is already closing when the SDK receives the message.
 */
function closeAtMessage(run: OpenRun): void {
  const onMessage = ({ source, data }: MessageEvent<unknown>): void => {
    if (source === null || source !== run.handle || !isCompletion(data)) return;
    run.record.note('window', 'the hosted page posted its message');
    closeWindow(run);
  };
  window.addEventListener('message', onMessage);
  run.disposers.push(() => window.removeEventListener('message', onMessage));
}

/** A run as the page shows it. */
export interface RunRecord {
  readonly entries: ReadonlySignal<readonly PopupEntry[]>;
  readonly report: ReadonlySignal<SdkReport | null>;
  note(who: PopupEntry['who'], text: string): void;
  /** Records the result or the error of `verify()`. */
  noteReport(kind: 'resolved' | 'rejected', value: unknown): void;
  noteSession(session: SessionResource): void;
  noteWindow(isClosed: boolean): void;
  /** Ignores all further entries. */
  end(): void;
}

function createRunRecord(): RunRecord {
  const startedAtMs = performance.now();
  const entries = signal<readonly PopupEntry[]>([]);
  const report = signal<SdkReport | null>(null);
  let shown: { readonly status: string; readonly isPageOpen: boolean } | null = null;
  let wasClosed: boolean | null = null;
  let isEnded = false;

  const nowMs = (): number => performance.now() - startedAtMs;
  const note: RunRecord['note'] = (who, text) => {
    if (!isEnded) entries.value = [...entries.peek(), { atMs: nowMs(), who, text }];
  };
  return {
    entries,
    report,
    note,
    noteReport(kind, value) {
      if (isEnded) return;
      report.value = toReport(kind, value, nowMs());
      note('sdk', `verify() ${toReportLine(report.value).replace(/, [^,]*$/, '')}`);
    },
    noteSession({ status, openDevices }) {
      const before = shown;
      shown = { status, isPageOpen: openDevices.length > 0 };
      if (!before) note('service', 'created a session');
      if (shown.isPageOpen !== (before?.isPageOpen ?? false)) {
        note('service', `the hosted page is ${shown.isPageOpen ? 'open' : 'closed'}`);
      }
      if (before && status !== before.status) note('service', `session ${status}`);
    },
    noteWindow(isClosed) {
      if (wasClosed === isClosed) return;
      wasClosed = isClosed;
      note('window', `closed === ${isClosed}`);
    },
    end() {
      isEnded = true;
    },
  };
}

interface Interception {
  /** The window that `verify()` opened, or `null` if it opened none. */
  readonly handle: Window | null;
}

interface InterceptionOptions {
  /** Delay of the create call. Milliseconds. */
  readonly createDelayMs?: number;
  /** Changes the created session's verifyUrl. */
  readonly changeVerifyUrl?: (verifyUrl: string, createUrl: string) => string;
}

/**
 * Calls `run`, which must call `verify()` before it returns. Records the window that the SDK opens, and may
 * delay the create call or change its response. Afterwards, the browser's functions are restored.
 */
function interceptCalls(run: () => void, options: InterceptionOptions): Interception {
  const original = { open: window.open, fetch: window.fetch };
  let handle: Window | null = null;
  window.open = (...args) => {
    handle = original.open.apply(window, args);
    return handle;
  };
  window.fetch = async (input, init) => {
    // Only the first request is the create call. Later requests must not be affected.
    window.fetch = original.fetch;
    await new Promise((resolve) => setTimeout(resolve, options.createDelayMs ?? 0));
    const response = await original.fetch.call(window, input, init);
    const { changeVerifyUrl } = options;
    return changeVerifyUrl
      ? change(response, (verifyUrl) => changeVerifyUrl(verifyUrl, response.url))
      : response;
  };
  try {
    run();
  } finally {
    window.open = original.open;
    window.fetch = original.fetch;
  }
  return { handle };
}

async function change(response: Response, to: (verifyUrl: string) => string): Promise<Response> {
  const body: unknown = await response.json();
  const { verifyUrl } = Object(body) as { verifyUrl?: unknown };
  const changed =
    typeof verifyUrl === 'string' ? { ...Object(body), verifyUrl: to(verifyUrl) } : body;
  return Response.json(changed, { status: response.status });
}
