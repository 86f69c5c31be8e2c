import { type ReadonlySignal, signal } from '@preact/signals';
import { type ServiceTime, hearServiceTime } from './countdown.ts';
import { type Ending, toEnding } from './ending.ts';
import { type HostedApi, HostedApiError } from './hosted-api.ts';
import type { HostedSession } from './hosted-session.ts';
import type { ProgressStore } from './progress.ts';
import { PASSED } from './scenarios.ts';
import { type Place, isFaceEnoughFor, isImagePoorFor, isLastStep, stepsFor } from './steps.ts';

/** What is on screen. */
export type View =
  /** `following`: the shopper goes on with the other device. */
  | { readonly name: 'loading' | 'intro' | 'processing' | 'handoff' | 'following' }
  /** `retake`: the last picture was not usable. `resume`: the shopper has been away. */
  | ({ readonly name: 'capture' | 'retake' | 'resume' } & Place)
  | { readonly name: 'result'; readonly ending: Ending }
  | { readonly name: 'notice'; readonly kind: NoticeKind };

export type NoticeKind = 'invalid' | 'expired' | 'used' | 'billing' | 'unavailable';

export interface FlowPorts {
  /** `null` when the address carries no session. */
  readonly api: HostedApi | null;
  readonly skipIntro: boolean;
  readonly autoReturn: boolean;
  /** The outcome that the sandbox's chooser stands on. */
  readonly chosenOutcome: () => string | null;
  /** Puts the chooser back where it stood before a reload. */
  readonly chooseOutcome: (outcome: string) => void;
  /** Whether the page is out of sight. */
  readonly isHidden: () => boolean;
  /** Whether the sandbox was asked to blur the next picture; asking uses it up. */
  readonly takeBlur: () => boolean;
  readonly progress: ProgressStore;
  /** Tells the shop and goes there. */
  readonly leavePage: (ending: Ending) => void;
  readonly wait: (ms: number) => Promise<void>;
}

/** The way of one shopper through one session. */
export interface Flow {
  readonly view: ReadonlySignal<View>;
  readonly session: ReadonlySignal<HostedSession | null>;
  readonly time: ReadonlySignal<ServiceTime | null>;
  /** The last request got no answer. */
  readonly isOffline: ReadonlySignal<boolean>;
  load(): Promise<void>;
  begin(): void;
  /** A picture was taken: the next one, or the result. */
  captured(): Promise<void>;
  /** Takes the last picture again, on the same session. */
  retake(): Promise<void>;
  cancel(): Promise<void>;
  /** Says that the page is there and asks how the session stands. */
  refresh(): Promise<void>;
  /** The page is out of sight: no picture is taken until the shopper says so. */
  pause(): void;
  /** Goes on where the shopper was. */
  resume(): void;
  /** Shows the code for a second device. */
  handOff(): void;
  /** Makes this device the one to go on with. */
  continueHere(): Promise<void>;
  /** The page is going away. */
  leave(): void;
}

/** A shopper who sees no work being done does not believe the result. */
const PROCESSING_MS = 1_000;

export function createFlow(ports: FlowPorts): Flow {
  const { api, progress } = ports;
  const view = signal<View>({ name: 'loading' });
  const session = signal<HostedSession | null>(null);
  const time = signal<ServiceTime | null>(null);
  const isOffline = signal(false);
  /** Of the picture that comes next; `null` before the first. */
  let index: number | null = null;
  let isFaceEnough = true;

  const keep = (): void => {
    if (index !== null) progress.save({ index, isFaceEnough, outcome: ports.chosenOutcome() });
  };

  const show = (wanted: 'capture' | 'retake' | 'resume', at: number): void => {
    const steps = session.value ? stepsFor(session.value, isFaceEnough) : [];
    const step = steps[at];
    if (!step) return;
    index = at;
    keep();
    // An answer may come while the page is out of sight, and `capture` turns the camera on.
    const name = wanted === 'capture' && ports.isHidden() ? 'resume' : wanted;
    view.value = { name, step, index, total: steps.length };
  };

  /** Where the shopper was, or the beginning. */
  const goOn = (name: 'capture' | 'resume'): void => {
    if (index === null) view.value = { name: 'intro' };
    else show(session.value?.needsRetry ? 'retake' : name, index);
  };

  const hear = (heard: HostedSession): void => {
    session.value = heard;
    time.value = hearServiceTime(time.value, heard.now, Date.now());
    isOffline.value = false;
  };

  /** Follows the service where it says that the session is over, or goes on elsewhere. */
  const follow = (heard: HostedSession): void => {
    hear(heard);
    const { name } = view.value;
    if (name === 'result' || name === 'notice') return;
    const ending = toEnding(heard, ports.autoReturn);
    if (heard.status !== 'pending') progress.save(null);
    if (ending) {
      view.value = { name: 'result', ending };
      // The first device has the shop behind it; a second one has nowhere to go back to.
      if (heard.device === 'first') ports.leavePage(ending);
    } else if (heard.status === 'expired') {
      view.value = { name: 'notice', kind: 'expired' };
    } else if (heard.activeDevice !== heard.device) {
      if (name !== 'following') view.value = { name: 'following' };
    } else if (name === 'following') {
      goOn('resume');
    }
  };

  /**
   * Runs one request, and says whether it was answered. `settled` means that somebody was faster: then
   * the service says how it ended.
   */
  const ask = async (request: (api: HostedApi) => Promise<HostedSession>): Promise<boolean> => {
    if (!api) return false;
    try {
      follow(await request(api));
      return true;
    } catch (error) {
      if (!(error instanceof HostedApiError)) throw error;
      if (error.kind === 'settled') return await ask((service) => service.session());
      if (error.kind === 'invalid') view.value = { name: 'notice', kind: 'invalid' };
      else isOffline.value = true;
      return false;
    }
  };

  const isProcessing = (): boolean => view.value.name === 'processing';

  return {
    view,
    session,
    time,
    isOffline,

    async load() {
      view.value = { name: 'loading' };
      try {
        if (!api) throw new HostedApiError('invalid', 'the address carries no session');
        const heard = await api.session();
        hear(heard);
        const kind = noticeFor(heard);
        const before = kind ? null : progress.load();
        if (before) ({ index, isFaceEnough } = before);
        if (before?.outcome) ports.chooseOutcome(before.outcome);
        if (kind) view.value = { name: 'notice', kind };
        else if (heard.device === 'second') {
          // Opening the code's link is how the shopper says where they go on.
          view.value = { name: 'following' };
          follow(await api.continueHere());
        } else if (heard.activeDevice === 'second') view.value = { name: 'following' };
        else if (index === null && ports.skipIntro) show('capture', 0);
        else goOn('resume');
      } catch (error) {
        if (!(error instanceof HostedApiError)) throw error;
        view.value = { name: 'notice', kind: error.kind === 'settled' ? 'used' : error.kind };
      }
    },

    begin: () => show('capture', 0),

    async captured() {
      const at = view.value;
      const current = session.value;
      if (at.name !== 'capture' || !current) return;
      const preset = current.presetOutcome;
      const chosen = ports.chosenOutcome();
      const outcome = preset ?? chosen ?? PASSED.name;
      const isPoor = ports.takeBlur() || isImagePoorFor(outcome);
      const isLast = isLastStep(current, outcome, at);
      if (!isPoor && !isLast && at.step !== 'face') {
        show('capture', at.index + 1);
        return;
      }
      view.value = { name: 'processing' };
      await ports.wait(PROCESSING_MS);
      if (!isProcessing()) return;
      if (!isPoor && !isLast) {
        isFaceEnough = isFaceEnoughFor(outcome);
        show('capture', at.index + 1);
        return;
      }
      // A second device may take over after a picture that was not usable.
      if (session.value?.needsRetry) await ask((service) => service.retry());
      const isAnswered = await ask((service) => {
        if (isPoor) return service.submit('poor');
        // What was chosen beforehand, or the absence of any choice, the service knows itself.
        const isKnown = preset !== null || chosen === null;
        return isKnown ? service.submit('good') : service.settle(outcome);
      });
      if (!isProcessing()) return;
      if (!isAnswered) show('capture', at.index);
      else if (session.value?.needsRetry) show('retake', at.index);
    },

    async retake() {
      const at = view.value;
      if (at.name !== 'retake') return;
      const isAnswered = await ask((service) => service.retry());
      if (isAnswered && view.value === at) show('capture', at.index);
    },

    async cancel() {
      await ask((service) => service.cancel());
    },

    async refresh() {
      if (session.value && !isOver(view.value)) await ask((service) => service.heartbeat());
    },

    pause() {
      const at = view.value;
      if (at.name === 'capture') show('resume', at.index);
    },

    resume() {
      if (view.value.name === 'resume') goOn('capture');
    },

    handOff() {
      if (session.value?.handoffUrl) view.value = { name: 'handoff' };
    },

    async continueHere() {
      if (view.value.name === 'handoff') goOn('capture');
      else await ask((service) => service.continueHere());
    },

    leave() {
      if (session.value?.status !== 'pending') return;
      keep();
      api?.leave();
    },
  };
}

/** Why a session cannot begin, or `null` when it can. */
function noticeFor(session: HostedSession): NoticeKind | null {
  if (session.status === 'expired') return 'expired';
  if (session.status !== 'pending') return 'used';
  return session.billingBlock ? 'billing' : null;
}

const isOver = (view: View): boolean =>
  view.name === 'result' || (view.name === 'notice' && view.kind !== 'billing');
