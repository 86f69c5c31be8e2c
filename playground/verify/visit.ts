import { type Signal, signal } from '@preact/signals';
import { type ServiceTime, hearServiceTime } from './countdown.ts';
import { type Ending, toEnding } from './ending.ts';
import type { HostedSession } from './hosted-session.ts';
import type { ProgressStore } from './progress.ts';
import { type Place, stepsFor } from './steps.ts';

/** What is on screen. */
export type View =
  /** `following`: the shopper goes on with the other device. */
  | { readonly name: 'loading' | 'intro' | 'processing' | 'handoff' | 'following' }
  /** `retake`: the last picture was not usable. `resume`: the shopper has been away. */
  | ({ readonly name: 'capture' | 'retake' | 'resume' } & Place)
  | { readonly name: 'result'; readonly ending: Ending }
  | { readonly name: 'notice'; readonly kind: NoticeKind };

export type NoticeKind = 'invalid' | 'expired' | 'used' | 'billing' | 'unavailable';

export interface VisitPorts {
  readonly autoReturn: boolean;
  /** The outcome that is selected in the sandbox. */
  readonly chosenOutcome: () => string | null;
  /** Whether the page is out of sight. */
  readonly isHidden: () => boolean;
  readonly progress: ProgressStore;
  /** Tells the shop and goes there. */
  readonly leavePage: (ending: Ending) => void;
}

/** The state of the page while a shopper is on it. */
export interface Visit<Ports extends VisitPorts = VisitPorts> {
  readonly ports: Ports;
  readonly view: Signal<View>;
  readonly session: Signal<HostedSession | null>;
  readonly time: Signal<ServiceTime | null>;
  /** The last request got no answer. */
  readonly isOffline: Signal<boolean>;
  /** The index of the next picture. Null before the first. */
  index: number | null;
  isFaceEnough: boolean;
}

export function createVisit<Ports extends VisitPorts>(ports: Ports): Visit<Ports> {
  return {
    ports,
    view: signal<View>({ name: 'loading' }),
    session: signal(null),
    time: signal(null),
    isOffline: signal(false),
    index: null,
    isFaceEnough: true,
  };
}

/** Saves the progress, so that a reload goes on from here. */
export function saveProgress({ ports, index, isFaceEnough }: Visit): void {
  if (index === null) return;
  ports.progress.save({ index, isFaceEnough, outcome: ports.chosenOutcome() });
}

/** Shows the step with this index, in one of three ways. */
export function showStep(visit: Visit, wanted: 'capture' | 'retake' | 'resume', at: number): void {
  const session = visit.session.value;
  const steps = session ? stepsFor(session, visit.isFaceEnough) : [];
  const step = steps[at];
  if (!step) return;
  visit.index = at;
  saveProgress(visit);
  // An answer may come while the page is out of sight, and `capture` turns the camera on.
  const name = wanted === 'capture' && visit.ports.isHidden() ? 'resume' : wanted;
  visit.view.value = { name, step, index: at, total: steps.length };
}

/** Shows the step at which the shopper was, or the intro. */
export function goOn(visit: Visit, name: 'capture' | 'resume'): void {
  const { index, session, view } = visit;
  if (index === null) view.value = { name: 'intro' };
  else showStep(visit, session.value?.needsRetry ? 'retake' : name, index);
}

/** Takes over an answer of the service, without a change of the view. */
export function takeSession({ session, time, isOffline }: Visit, heard: HostedSession): void {
  session.value = heard;
  time.value = hearServiceTime(time.value, heard.now, Date.now());
  isOffline.value = false;
}

/** Takes over an answer of the service, and shows when the check has ended or moved to the other device. */
export function followSession(visit: Visit, heard: HostedSession): void {
  takeSession(visit, heard);
  const { ports, view } = visit;
  const { name } = view.value;
  if (name === 'result' || name === 'notice') return;
  const ending = toEnding(heard, ports.autoReturn);
  if (heard.status !== 'pending') ports.progress.save(null);
  if (ending) {
    view.value = { name: 'result', ending };
    // The first device has the shop behind it; a second one has nowhere to go back to.
    if (heard.device === 'first') ports.leavePage(ending);
  } else if (heard.status === 'expired') {
    view.value = { name: 'notice', kind: 'expired' };
  } else if (heard.activeDevice !== heard.device) {
    if (name !== 'following') view.value = { name: 'following' };
  } else if (name === 'following') {
    goOn(visit, 'resume');
  }
}
