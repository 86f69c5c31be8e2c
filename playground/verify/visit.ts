import { type Signal, signal } from '@preact/signals';
import { type ServiceTime, updateServiceTime } from './countdown.ts';
import { type Ending, toEnding } from './ending.ts';
import type { HostedSession } from './hosted-session.ts';
import type { ProgressStore } from './progress.ts';
import { type IdDocument, type Place, stepsFor } from './steps.ts';

export type View =
  /** `following`: the shopper continues on the other device. */
  | { readonly name: 'loading' | 'intro' | 'processing' | 'handoff' | 'following' }
  /** `retake`: the last picture was not usable. `resume`: the shopper has been away. */
  | ({ readonly name: 'capture' | 'retake' | 'resume' } & Place)
  | { readonly name: 'result'; readonly ending: Ending }
  | { readonly name: 'notice'; readonly kind: NoticeKind };

export type NoticeKind = 'invalid' | 'expired' | 'used' | 'billing' | 'unavailable';

export interface VisitPorts {
  readonly autoReturn: boolean;
  /** Returns the outcome that is selected in the sandbox, or null outside the sandbox. */
  readonly chosenOutcome: () => string | null;
  readonly isHidden: () => boolean;
  readonly progress: ProgressStore;
  /** Notifies the shop and leaves the page. */
  readonly leavePage: (ending: Ending) => void;
}

/** The state of the page during one visit. */
export interface Visit<Ports extends VisitPorts = VisitPorts> {
  readonly ports: Ports;
  readonly view: Signal<View>;
  readonly session: Signal<HostedSession | null>;
  readonly time: Signal<ServiceTime | null>;
  /** True if the last request after `load()` got no response, or one that is not usable, such as a 5xx. */
  readonly isOffline: Signal<boolean>;
  /**
   * The index of the picture that the shopper takes next. Null if no step was shown, here or before a reload.
   */
  index: number | null;
  isFaceEnough: boolean;
  document: IdDocument;
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
    document: 'id_card',
  };
}

/** Saves the progress, so that a reload continues here. */
export function saveProgress({ ports, index, isFaceEnough, document }: Visit): void {
  if (index === null) return;
  ports.progress.save({ index, isFaceEnough, document, outcome: ports.chosenOutcome() });
}

/** Shows a step and saves the progress. Does nothing if the session has no such step. */
export function showStep(visit: Visit, wanted: 'capture' | 'retake' | 'resume', at: number): void {
  const { document } = visit;
  const session = visit.session.value;
  const steps = session ? stepsFor(session, visit.isFaceEnough, document) : [];
  const step = steps[at];
  if (!step) return;
  visit.index = at;
  saveProgress(visit);
  // The response may arrive while the page is hidden, and `capture` would turn the camera on.
  const name = wanted === 'capture' && visit.ports.isHidden() ? 'resume' : wanted;
  visit.view.value = { name, step, index: at, total: steps.length, document };
}

/** Shows the shopper's current step, or the intro if there is none. */
export function showCurrentStep(visit: Visit, name: 'capture' | 'resume'): void {
  const { index, session, view } = visit;
  if (index === null) view.value = { name: 'intro' };
  else showStep(visit, session.value?.needsRetry ? 'retake' : name, index);
}

/** Stores a response of the service without changing the view. */
export function storeSession({ session, time, isOffline }: Visit, received: HostedSession): void {
  session.value = received;
  time.value = updateServiceTime(time.value, received.now, Date.now());
  isOffline.value = false;
}

/**
 * Stores a response of the service, and changes the view if the check has ended or moved to the other
 * device.
 */
export function followSession(visit: Visit, received: HostedSession): void {
  storeSession(visit, received);
  const { ports, view } = visit;
  const { name } = view.value;
  if (name === 'result' || name === 'notice') return;
  const ending = toEnding(received, ports.autoReturn);
  if (received.status !== 'pending') ports.progress.save(null);
  if (ending) {
    view.value = { name: 'result', ending };
    // Only the first device has a shop to return to.
    if (received.device === 'first') ports.leavePage(ending);
  } else if (received.status === 'expired') {
    view.value = { name: 'notice', kind: 'expired' };
  } else if (received.activeDevice !== received.device) {
    if (name !== 'following') view.value = { name: 'following' };
  } else if (name === 'following') {
    showCurrentStep(visit, 'resume');
  }
}
