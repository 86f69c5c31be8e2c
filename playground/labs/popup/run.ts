import { type Signal, signal } from '@preact/signals';
import type { ScenarioName, SessionResource } from 'ofage/mock';
import type { Provider } from '../../shared/provider.ts';
import { sdk } from '../../shared/sdk.ts';
import { siteUrl } from '../../shared/site.ts';
import { openLabFrame } from '../frame/lab-frame.ts';
import { type BetweenOptions, standBetween } from './between.ts';
import {
  type PopupEntry,
  type PopupScenarioId,
  type SdkReport,
  type Truth,
  toReport,
  toReportLine,
} from './scenarios.ts';

/** One scenario that is under way, or over, as the page shows it. */
export interface PopupRun {
  readonly id: PopupScenarioId;
  readonly entries: Signal<readonly PopupEntry[]>;
  readonly report: Signal<SdkReport | null>;
  readonly truth: Signal<Truth>;
  /** Ends what is running, and closes its window. */
  end(): void;
}

export interface RunPorts {
  readonly provider: Provider;
  readonly publishableKey: string;
}

const LOOK_MS = 25;
const LOOK_AGAIN_MS = 500;
const SLOW_MS = 4_000;
const BEFORE_START_MS = 3_000;
/** So long the SDK must have seen the page before a close counts as the shopper's. */
const SHOWN_MS = 900;
const HEARD_LATE_MS = 1_000;

/** Starts a scenario. Called straight from the click, because a window opens only then. */
export function startRun(id: PopupScenarioId, ports: RunPorts): PopupRun {
  const run = createRun(id, ports);
  const { note, open, whenOpen, settle, after, close } = run;
  const passes = (): Promise<void> => whenOpen().then(() => settle('verified'));
  switch (id) {
    case 'blocked':
      void run.inFrame();
      break;
    case 'too_late':
      note('lab', 'waits until the click does not count any more');
      void whenClickIsOver().then(() => open());
      break;
    case 'coop':
      open({
        changeVerifyUrl: (verifyUrl) =>
          `${new URL('labs/coop/', new URL('..', verifyUrl))}?next=${encodeURIComponent(verifyUrl)}`,
      });
      note('lab', 'puts a page that sends COOP before the hosted page');
      void passes();
      break;
    case 'opener_lost': {
      const handle = open();
      if (handle) handle.opener = null;
      note('lab', 'makes the window forget its opener');
      void passes();
      break;
    }
    case 'closed_early':
      open();
      void whenOpen().then(() => after(SHOWN_MS, close));
      break;
    case 'closed_before_start':
      open({ createDelayMs: BEFORE_START_MS });
      after(SHOWN_MS, close);
      break;
    case 'closed_after':
      run.closeAtMessage();
      open();
      void passes();
      break;
    case 'slow_create':
      open({ createDelayMs: SLOW_MS });
      note('lab', `holds up the create call for ${SLOW_MS / 1_000} s`);
      void passes();
      break;
    case 'forged':
      open();
      void whenOpen()
        .then(run.forge)
        .then(() => after(SHOWN_MS, () => void settle('failed_age_not_met')));
      break;
  }
  return run;
}

function createRun(id: PopupScenarioId, { provider, publishableKey }: RunPorts) {
  const { client, live } = provider;
  const startedAtMs = performance.now();
  const nowMs = (): number => performance.now() - startedAtMs;
  const entries = signal<readonly PopupEntry[]>([]);
  const report = signal<SdkReport | null>(null);
  const truth = signal<Truth>({ sessionStatus: null, isPageOpen: false, handleSaysClosed: null });
  const externalUserId = `popup-lab-${id}-${crypto.randomUUID().slice(0, 8)}`;
  const undo: (() => void)[] = [];
  let handle: Window | null = null;
  let isEnded = false;

  const note = (who: PopupEntry['who'], text: string): void => {
    if (!isEnded) entries.value = [...entries.value, { atMs: nowMs(), who, text }];
  };
  // The popup may hide this page, which must follow the session until the SDK has reported.
  const letSleep = live.stayAwake();
  const settleReport = (kind: 'resolved' | 'rejected', value: unknown): void => {
    if (isEnded) return;
    report.value = toReport(kind, value, nowMs());
    note('sdk', `verify() ${toReportLine(report.value).replace(/, [^,]*$/, '')}`);
    letSleep();
  };
  const after = (ms: number, act: () => void): void => {
    const timer = setTimeout(act, ms);
    undo.push(() => clearTimeout(timer));
  };

  const watchHandle = (): void => {
    let wasClosed: boolean | null = null;
    const look = setInterval(() => {
      if (!handle || handle.closed === wasClosed) return;
      wasClosed = handle.closed;
      truth.value = { ...truth.value, handleSaysClosed: wasClosed };
      note('window', wasClosed ? 'closed === true' : 'closed === false');
    }, LOOK_MS);
    undo.push(() => clearInterval(look));
  };

  let session: SessionResource | null = null;
  const sessionListeners = new Set<() => void>();
  const hearSession = (heard: SessionResource): void => {
    const isOpen = heard.openDevices.length > 0;
    if (!session) note('service', 'created a session');
    if (isOpen !== truth.value.isPageOpen) {
      note('service', isOpen ? 'the hosted page is open' : 'the hosted page has gone');
    }
    if (session && heard.status !== session.status) note('service', `session ${heard.status}`);
    session = heard;
    truth.value = { ...truth.value, sessionStatus: heard.status, isPageOpen: isOpen };
    for (const tell of sessionListeners) tell();
  };
  undo.push(letSleep);
  // The session is created in another page. In the static playground its service is not this page's, and
  // this page's stream reports it late.
  undo.push(
    live.openQuery({
      topics: ['session'],
      everyMs: LOOK_AGAIN_MS,
      async read() {
        const [newest] = await client.sessions({ externalUserId, limit: 1 });
        if (newest && !isEnded) hearSession(newest);
      },
    }).close,
  );

  const whenSession = (isSo: (session: SessionResource) => boolean): Promise<SessionResource> =>
    new Promise((resolve) => {
      const look = (): void => {
        if (!session || !isSo(session)) return;
        sessionListeners.delete(look);
        resolve(session);
      };
      sessionListeners.add(look);
      look();
    });

  return {
    id,
    entries,
    report,
    truth,
    note,
    after,
    whenOpen: () => whenSession(({ openDevices }) => openDevices.length > 0),
    open(options: BetweenOptions = {}): Window | null {
      try {
        const OfAge = sdk();
        const ofage = new OfAge({
          apiKey: publishableKey,
          returnUrl: siteUrl('return/'),
          mode: 'new-tab',
        });
        undo.push(() => ofage.destroy());
        note('sdk', 'verify() was called');
        const between = standBetween(() => {
          ofage.verify({ externalUserId, skipIntro: true, autoReturn: true }).then(
            (result) => settleReport('resolved', result),
            (error: unknown) => settleReport('rejected', error),
          );
        }, options);
        ({ handle } = between);
        note('window', handle ? 'window.open gave a window' : 'window.open gave null');
        watchHandle();
      } catch (error) {
        settleReport('rejected', error);
      }
      return handle;
    },
    async inFrame(): Promise<void> {
      const frame = await openLabFrame({
        sandbox: 'allow-scripts allow-same-origin',
        hear(word) {
          if (word.frame === 'resolved') settleReport('resolved', word.result);
          if (word.frame === 'rejected') settleReport('rejected', word.error);
        },
      });
      undo.push(() => frame.remove());
      note('lab', 'put a frame with a sandbox into the page');
      note('sdk', 'verify() was called in the frame');
      frame.tell({
        do: 'verify',
        apiKey: publishableKey,
        returnUrl: siteUrl('return/'),
        externalUserId,
      });
    },
    async forge(): Promise<void> {
      const message = {
        type: 'ofage:verification:complete',
        sessionId: session?.id,
        status: 'verified',
        timestamp: Date.now(),
      };
      const frame = await openLabFrame({});
      undo.push(() => frame.remove());
      note('lab', 'a frame posts a forged message: verified');
      frame.tell({ do: 'forge', message });
    },
    async settle(outcome: ScenarioName): Promise<void> {
      if (!session || isEnded) return;
      note('lab', `ends the check for the shopper: ${outcome}`);
      await client.settle(session.id, outcome);
    },
    close(): void {
      note('lab', 'closes the window, as the shopper would');
      handle?.close();
    },
    /** Before the SDK listens, so that the window is closing when its message is heard. */
    closeAtMessage(): void {
      const onMessage = ({ source, data }: MessageEvent<unknown>): void => {
        const { type } = Object(data) as { type?: unknown };
        if (source === null || source !== handle || type !== 'ofage:verification:complete') return;
        note('window', 'the hosted page posted its message');
        this.close();
      };
      window.addEventListener('message', onMessage);
      undo.push(() => window.removeEventListener('message', onMessage));
    },
    end(): void {
      isEnded = true;
      for (const one of undo) one();
    },
  };
}

/** A browser forgets a click after some five seconds; one that does not say so gets six. */
async function whenClickIsOver(): Promise<void> {
  const untilMs = performance.now() + 6_000;
  const isOver = (): boolean => {
    const { userActivation }: { userActivation?: UserActivation } = navigator;
    return userActivation ? !userActivation.isActive : performance.now() > untilMs;
  };
  while (!isOver()) await new Promise((resolve) => setTimeout(resolve, 100));
  // The browser's main process counts from when it heard of the click, which is a little later.
  await new Promise((resolve) => setTimeout(resolve, HEARD_LATE_MS));
}
