import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { type ServiceTime, updateServiceTime } from './countdown.ts';
import { type Ending, toEnding } from './ending.ts';
import { type HostedApi, HostedApiError } from './hosted-api.ts';
import type { HostedSession } from './hosted-session.ts';
import type { ProgressStore } from './progress.ts';
import {
  DEFAULT_OUTCOME,
  type IdDocument,
  type Place,
  isFaceEnoughFor,
  isImagePoorFor,
  isLastStep,
  stepsFor,
} from './steps.ts';

export type View =
  /** `following`: the shopper continues on the other device. */
  | { readonly name: 'loading' | 'intro' | 'processing' | 'handoff' | 'following' }
  /** `retake`: the last picture was not usable. `resume`: the shopper has been away. */
  | ({ readonly name: 'capture' | 'retake' | 'resume' } & Place)
  | { readonly name: 'result'; readonly ending: Ending }
  | { readonly name: 'notice'; readonly kind: NoticeKind };

export type NoticeKind = 'invalid' | 'expired' | 'used' | 'billing' | 'unavailable';

export interface FlowPorts {
  /** `null` if the address has no session token. */
  readonly api: HostedApi | null;
  readonly skipIntro: boolean;
  readonly autoReturn: boolean;
  /** Returns the outcome that is selected in the sandbox, or null outside the sandbox. */
  readonly chosenOutcome: () => string | null;
  /** Restores the outcome that was selected in the sandbox before a reload. */
  readonly chooseOutcome: (outcome: string) => void;
  readonly isHidden: () => boolean;
  /** Tells whether the sandbox wants the next picture to be blurred, and resets that request. */
  readonly takeBlur: () => boolean;
  readonly progress: ProgressStore;
  /** Notifies the shop and leaves the page. */
  readonly leavePage: (ending: Ending) => void;
  readonly wait: (ms: number) => Promise<void>;
}

/** The steps of one shopper through one session. */
export interface Flow {
  readonly view: ReadonlySignal<View>;
  readonly session: ReadonlySignal<HostedSession | null>;
  readonly time: ReadonlySignal<ServiceTime | null>;
  /** True if the last request after `load()` got no response, or one that is not usable, such as a 5xx. */
  readonly isOffline: ReadonlySignal<boolean>;
  load(): Promise<void>;
  begin(): void;
  /** Sets the type of ID document. Ignored unless the page shows the step for the front of the document. */
  chooseDocument(document: IdDocument): void;
  /** Called when a picture was taken. Shows the next step, or submits the pictures. */
  captured(): Promise<void>;
  /** Shows the step of the unusable picture again, in the same session. */
  retake(): Promise<void>;
  cancel(): Promise<void>;
  /** Sends a heartbeat and reads the session. */
  refresh(): Promise<void>;
  /** Called when the page is hidden: no picture is taken until the shopper continues. */
  pause(): void;
  /** Returns to the step at which the page was paused. */
  resume(): void;
  /** Shows the QR code for a second device. */
  handOff(): void;
  /** Continues on this device, which becomes the active one. */
  continueHere(): Promise<void>;
  /** Called when the page unloads. Saves the progress and notifies the service, if the session is pending. */
  leave(): void;
}

/** The state of one visit. */
interface Visit {
  readonly ports: FlowPorts;
  readonly view: Signal<View>;
  readonly session: Signal<HostedSession | null>;
  readonly time: Signal<ServiceTime | null>;
  readonly isOffline: Signal<boolean>;
  /**
   * The index of the picture that the shopper takes next. Null if no step was shown, here or before a reload.
   */
  index: number | null;
  isFaceEnough: boolean;
  document: IdDocument;
}

/** The time for which processing is shown. Shoppers would not trust a result that appears at once. */
const PROCESSING_MS = 1_000;

export function createFlow(ports: FlowPorts): Flow {
  const visit: Visit = {
    ports,
    view: signal<View>({ name: 'loading' }),
    session: signal(null),
    time: signal(null),
    isOffline: signal(false),
    index: null,
    isFaceEnough: true,
    document: 'id_card',
  };
  const { view, session, time, isOffline } = visit;
  return {
    view,
    session,
    time,
    isOffline,
    load: () => load(visit),
    begin: () => showStep(visit, 'capture', 0),
    chooseDocument(document) {
      const at = view.value;
      if (at.name !== 'capture' || at.step !== 'front') return;
      visit.document = document;
      showStep(visit, 'capture', at.index);
    },
    captured: () => takePicture(visit),
    async retake() {
      const at = view.value;
      if (at.name !== 'retake') return;
      const isAnswered = await ask(visit, (service) => service.retry());
      if (isAnswered && view.value === at) showStep(visit, 'capture', at.index);
    },
    async cancel() {
      await ask(visit, (service) => service.cancel());
    },
    async refresh() {
      if (session.value && !isOver(view.value)) await ask(visit, (service) => service.heartbeat());
    },
    pause() {
      const at = view.value;
      if (at.name === 'capture') showStep(visit, 'resume', at.index);
    },
    resume() {
      if (view.value.name === 'resume') showCurrentStep(visit, 'capture');
    },
    handOff() {
      if (session.value?.handoffUrl) view.value = { name: 'handoff' };
    },
    async continueHere() {
      if (view.value.name === 'handoff') showCurrentStep(visit, 'capture');
      else await ask(visit, (service) => service.continueHere());
    },
    leave() {
      if (session.value?.status !== 'pending') return;
      saveProgress(visit);
      ports.api?.leave();
    },
  };
}

/** Reads the session and shows the first view. */
async function load(visit: Visit): Promise<void> {
  const { ports, view } = visit;
  view.value = { name: 'loading' };
  try {
    if (!ports.api) throw new HostedApiError('invalid', 'The address contains no session');
    const received = await ports.api.session();
    storeSession(visit, received);
    const kind = noticeFor(received);
    if (!kind) restoreProgress(visit);
    if (kind) view.value = { name: 'notice', kind };
    else if (received.device === 'second') {
      // The shopper has opened the link of the QR code here, which makes this device the active one.
      view.value = { name: 'following' };
      followSession(visit, await ports.api.continueHere());
    } else if (received.activeDevice === 'second') view.value = { name: 'following' };
    else if (visit.index === null && ports.skipIntro) showStep(visit, 'capture', 0);
    else showCurrentStep(visit, 'resume');
  } catch (error) {
    if (!(error instanceof HostedApiError)) throw error;
    view.value = { name: 'notice', kind: error.kind === 'settled' ? 'used' : error.kind };
  }
}

function restoreProgress(visit: Visit): void {
  const { progress, chooseOutcome } = visit.ports;
  const before = progress.load();
  if (!before) return;
  visit.index = before.index;
  visit.isFaceEnough = before.isFaceEnough;
  visit.document = before.document;
  if (before.outcome) chooseOutcome(before.outcome);
}

/** Shows the next step. After the last step, or after an unusable picture, submits the pictures instead. */
async function takePicture(visit: Visit): Promise<void> {
  const { ports, view, session } = visit;
  const at = view.value;
  const current = session.value;
  if (at.name !== 'capture' || !current) return;
  const outcome = current.presetOutcome ?? ports.chosenOutcome() ?? DEFAULT_OUTCOME;
  const isPoor = ports.takeBlur() || isImagePoorFor(outcome);
  const hasNext = !isPoor && !isLastStep(current, outcome, at);
  if (hasNext && at.step !== 'face') return showStep(visit, 'capture', at.index + 1);
  view.value = { name: 'processing' };
  await ports.wait(PROCESSING_MS);
  if (!isProcessing(visit)) return;
  if (hasNext) {
    visit.isFaceEnough = isFaceEnoughFor(outcome);
    return showStep(visit, 'capture', at.index + 1);
  }
  const isAnswered = await submit(visit, isPoor, outcome);
  if (!isProcessing(visit)) return;
  if (!isAnswered) showStep(visit, 'capture', at.index);
  else if (session.value?.needsRetry) showStep(visit, 'retake', at.index);
}

const isProcessing = ({ view }: Visit): boolean => view.value.name === 'processing';

/** Submits the pictures. Resolves to true if the service returned the session. */
async function submit(visit: Visit, isPoor: boolean, outcome: string): Promise<boolean> {
  const { ports, session } = visit;
  // Leaves the outcome to the service if it was preset, or if none was chosen.
  const isChosenHere = session.value?.presetOutcome === null && ports.chosenOutcome() !== null;
  // A second device may continue after the first one submitted an unusable picture.
  if (session.value?.needsRetry) await ask(visit, (service) => service.retry());
  return ask(visit, (service) => {
    if (isPoor) return service.submit('poor');
    return isChosenHere ? service.settle(outcome) : service.submit('good');
  });
}

/**
 * Runs one request. Resolves to true if it returned the session. If the session does not allow the request,
 * for example because it has ended, the session is read instead.
 */
async function ask(
  visit: Visit,
  request: (api: HostedApi) => Promise<HostedSession>,
): Promise<boolean> {
  const { ports, view, isOffline } = visit;
  if (!ports.api) return false;
  try {
    followSession(visit, await request(ports.api));
    return true;
  } catch (error) {
    if (!(error instanceof HostedApiError)) throw error;
    if (error.kind === 'settled') return ask(visit, (service) => service.session());
    isOffline.value = error.kind !== 'invalid';
    if (error.kind === 'invalid') view.value = { name: 'notice', kind: 'invalid' };
    return false;
  }
}

/** Returns the reason why a session cannot begin, or `null` if it can. */
function noticeFor(session: HostedSession): NoticeKind | null {
  if (session.status === 'expired') return 'expired';
  if (session.status !== 'pending') return 'used';
  return session.billingBlock ? 'billing' : null;
}

const isOver = (view: View): boolean =>
  view.name === 'result' || (view.name === 'notice' && view.kind !== 'billing');

/** Saves the progress, so that a reload continues here. */
function saveProgress({ ports, index, isFaceEnough, document }: Visit): void {
  if (index === null) return;
  ports.progress.save({ index, isFaceEnough, document, outcome: ports.chosenOutcome() });
}

/** Shows a step and saves the progress. Does nothing if the session has no such step. */
function showStep(visit: Visit, wanted: 'capture' | 'retake' | 'resume', at: number): void {
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
function showCurrentStep(visit: Visit, name: 'capture' | 'resume'): void {
  const { index, session, view } = visit;
  if (index === null) view.value = { name: 'intro' };
  else showStep(visit, session.value?.needsRetry ? 'retake' : name, index);
}

/** Stores a response of the service without changing the view. */
function storeSession({ session, time, isOffline }: Visit, received: HostedSession): void {
  session.value = received;
  time.value = updateServiceTime(time.value, received.now, Date.now());
  isOffline.value = false;
}

/**
 * Stores a response of the service, and changes the view if the check has ended or moved to the other
 * device.
 */
function followSession(visit: Visit, received: HostedSession): void {
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
