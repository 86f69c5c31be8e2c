import type { ScenarioName } from 'ofage/mock';
import { toLabCustomer } from '../server/mark.ts';
import type { Provider } from '../../shared/provider.ts';
import { sdk } from '../../shared/sdk.ts';
import { siteUrl } from '../../shared/site.ts';
import { isCompletion, toForgedMessage } from '../forged-message.ts';
import { openLabFrame } from '../frame/lab-frame.ts';
import { type NewestSession, followNewestSession } from '../newest-session.ts';
import { type InterceptionOptions, interceptCalls } from './intercept-calls.ts';
import { type RunRecord, createRunRecord } from './run-record.ts';
import type { PopupScenarioId } from './scenarios.ts';

export interface RunPorts {
  readonly provider: Pick<Provider, 'client' | 'live'>;
  readonly publishableKey: string;
}

/** A run of a scenario: its record, its session and its window. */
export interface Stage extends RunPorts {
  readonly record: RunRecord;
  readonly newest: NewestSession;
  readonly externalUserId: string;
  handle: Window | null;
  /** Clean-up functions, which run at the end. */
  readonly disposers: (() => void)[];
}

const LOOK_MS = 25;

export function createStage(id: PopupScenarioId, ports: RunPorts): Stage {
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
    disposers: [record.end, stopNoting, stopWaiting, newest.close],
  };
}

export function endStage({ disposers }: Stage): void {
  for (const dispose of disposers) dispose();
}

/** Runs a function after a delay, unless the run has ended. */
export function after({ disposers }: Stage, ms: number, act: () => void): void {
  const timer = setTimeout(act, ms);
  disposers.push(() => clearTimeout(timer));
}

/** Calls `verify()` as the shop's page does, with the browser's calls intercepted. */
export function openWindow(stage: Stage, options: InterceptionOptions = {}): Window | null {
  const { record, disposers, publishableKey: apiKey, externalUserId } = stage;
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
    stage.handle = interception.handle;
    record.note(
      'window',
      interception.handle ? 'window.open returned a window' : 'window.open returned null',
    );
    watchHandle(stage);
  } catch (error) {
    record.noteReport('rejected', error);
  }
  return stage.handle;
}

function watchHandle({ record, handle, disposers }: Stage): void {
  const look = setInterval(() => handle && record.noteWindow(handle.closed), LOOK_MS);
  disposers.push(() => clearInterval(look));
}

/** Calls `verify()` in a frame that must not open windows. */
export async function verifyInFrame(stage: Stage): Promise<void> {
  const { record, disposers, publishableKey: apiKey, externalUserId } = stage;
  const frame = await openLabFrame({
    sandbox: 'allow-scripts allow-same-origin',
    hear(word) {
      if (word.frame === 'resolved') record.noteReport('resolved', word.result);
      if (word.frame === 'rejected') record.noteReport('rejected', word.error);
    },
  });
  disposers.push(() => frame.remove());
  record.note('lab', 'puts a sandboxed frame into the page');
  record.note('sdk', 'verify() was called in the frame');
  frame.send({ do: 'verify', apiKey, returnUrl: siteUrl('return/'), externalUserId });
}

/** Posts a forged message of the hosted page from a frame. */
export async function forgeMessage({ record, newest, disposers }: Stage): Promise<void> {
  const message = toForgedMessage(newest.session.peek()?.id);
  const frame = await openLabFrame({});
  disposers.push(() => frame.remove());
  record.note('lab', 'a frame posts a forged message: verified');
  frame.send({ do: 'forge', message });
}

/** Settles the check once its page is open. */
export async function settle(stage: Stage, outcome: ScenarioName): Promise<void> {
  const { record, newest, provider } = stage;
  const { id } = await newest.whenOpen();
  record.note('lab', `ends the check for the shopper: ${outcome}`);
  await provider.client.settle(id, outcome);
}

export function closeWindow({ record, handle }: Stage): void {
  record.note('lab', 'closes the window, as the shopper would');
  handle?.close();
}

/**
 * Closes the window on its completion message. Must be called before the SDK adds its listener, so that the
 * window is already closing when the SDK receives the message.
 */
export function closeAtMessage(stage: Stage): void {
  const onMessage = ({ source, data }: MessageEvent<unknown>): void => {
    if (source === null || source !== stage.handle || !isCompletion(data)) return;
    stage.record.note('window', 'the hosted page posted its message');
    closeWindow(stage);
  };
  window.addEventListener('message', onMessage);
  stage.disposers.push(() => window.removeEventListener('message', onMessage));
}
