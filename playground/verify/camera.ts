import { type ReadonlySignal, signal } from '@preact/signals';
import type { Step } from './steps.ts';

/** Why there is no picture to see. `insecure`: the page is not https, so browsers give it no camera. */
export type CameraProblem = 'denied' | 'missing' | 'busy' | 'insecure' | 'failed';

/** `simulated`: the shopper went on without one, and is not asked again. */
export type CameraState =
  | { readonly name: 'off' | 'asking' | 'simulated' }
  | { readonly name: 'live'; readonly facing: Facing; readonly stream: MediaStream }
  | Trouble;

interface Trouble {
  readonly name: 'problem';
  readonly problem: CameraProblem;
  /** The shopper tries again, and there is no answer yet. */
  readonly isAskedAgain: boolean;
}

/** `user`: the front camera, towards the face. `environment`: the back camera, towards a document. */
export type Facing = 'user' | 'environment';

export const facingFor = (step: Step): Facing =>
  step === 'front' || step === 'back' ? 'environment' : 'user';

/** The camera of the device. Its stream goes to the preview and nowhere else: no frame is ever read. */
export interface Camera {
  readonly state: ReadonlySignal<CameraState>;
  /** Asks for the camera that looks this way, unless it is open. */
  open(facing: Facing): Promise<void>;
  /** Turns it off. Its light goes out. */
  close(): void;
  simulate(): void;
}

/** @param devices `navigator.mediaDevices`, which is undefined where the page is not secure */
export function createCamera(devices: Pick<MediaDevices, 'getUserMedia'> | undefined): Camera {
  const state = signal<CameraState>({ name: 'off' });
  let wanted: Facing | null = null;
  /** Counts what was asked for: an answer to an older question is turned off at once. */
  let asked = 0;

  const stop = (): void => {
    asked += 1;
    wanted = null;
    const current = state.peek();
    if (current.name === 'live') stopTracks(current.stream);
  };

  return {
    state,

    async open(facing) {
      if (state.peek().name === 'simulated' || wanted === facing) return;
      stop();
      const question = asked;
      wanted = facing;
      const before = state.peek();
      state.value =
        before.name === 'problem' ? { ...before, isAskedAgain: true } : { name: 'asking' };
      const answer = await askFor(devices, facing);
      if (question !== asked) {
        if (answer.name === 'live') stopTracks(answer.stream);
        return;
      }
      if (answer.name === 'problem') wanted = null;
      state.value = answer;
      if (answer.name !== 'live') return;
      for (const track of answer.stream.getTracks()) {
        // Unplugged, or taken back in the browser's settings.
        track.addEventListener('ended', () => {
          if (question !== asked) return;
          stop();
          state.value = toTrouble('failed');
        });
      }
    },

    close() {
      stop();
      if (state.peek().name !== 'simulated') state.value = { name: 'off' };
    },

    simulate() {
      stop();
      state.value = { name: 'simulated' };
    },
  };
}

async function askFor(
  devices: Pick<MediaDevices, 'getUserMedia'> | undefined,
  facing: Facing,
): Promise<Extract<CameraState, { name: 'live' | 'problem' }>> {
  if (!devices) return toTrouble('insecure');
  try {
    // `ideal`: a computer has one camera, and it will do for both.
    const video = { facingMode: { ideal: facing }, width: { ideal: 1280 } };
    return { name: 'live', facing, stream: await devices.getUserMedia({ video, audio: false }) };
  } catch (error) {
    return toTrouble(toCameraProblem(error));
  }
}

const toTrouble = (problem: CameraProblem): Trouble => ({
  name: 'problem',
  problem,
  isAskedAgain: false,
});

/** @see https://developer.mozilla.org/en-US/docs/Web/API/MediaDevices/getUserMedia#exceptions */
export function toCameraProblem(error: unknown): CameraProblem {
  switch (error instanceof Error ? error.name : '') {
    case 'NotAllowedError':
    case 'SecurityError':
      return 'denied';
    case 'NotFoundError':
    case 'OverconstrainedError':
      return 'missing';
    case 'NotReadableError':
    case 'AbortError':
      return 'busy';
    default:
      return 'failed';
  }
}

function stopTracks(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop();
}
