import { type ReadonlySignal, signal } from '@preact/signals';
import type { Step } from './steps.ts';

/**
 * The reason why there is no camera picture. `insecure`: browsers give no camera to a page in an insecure
 * context.
 */
export type CameraProblem = 'denied' | 'missing' | 'busy' | 'insecure' | 'failed';

/** The camera's state. `simulated`: the shopper continued without a camera and is not asked again. */
export type CameraState =
  | { readonly name: 'off' | 'asking' | 'simulated' }
  | { readonly name: 'live'; readonly facing: Facing; readonly stream: MediaStream }
  | Trouble;

interface Trouble {
  readonly name: 'problem';
  readonly problem: CameraProblem;
  /** True while a repeated request for the camera is pending. */
  readonly isAskedAgain: boolean;
}

/** `user`: the front camera, towards the face. `environment`: the back camera, towards a document. */
export type Facing = 'user' | 'environment';

export const facingFor = (step: Step): Facing =>
  step === 'front' || step === 'back' ? 'environment' : 'user';

/** The device's camera. Its stream goes only to the preview: no frame is ever read. */
export interface Camera {
  readonly state: ReadonlySignal<CameraState>;
  /** Requests the camera that faces this way, unless it is open, already requested or simulated. */
  open(facing: Facing): Promise<void>;
  /** Turns the camera and its light off. */
  close(): void;
  simulate(): void;
}

/** @param devices `navigator.mediaDevices`, which is undefined outside a secure context */
export function createCamera(devices: Pick<MediaDevices, 'getUserMedia'> | undefined): Camera {
  const state = signal<CameraState>({ name: 'off' });
  let wanted: Facing | null = null;
  /** Increases with each request and each stop. A stream for an older request is stopped at once. */
  let requests = 0;

  const stop = (): void => {
    requests += 1;
    wanted = null;
    const current = state.peek();
    if (current.name === 'live') stopTracks(current.stream);
  };

  return {
    state,

    async open(facing) {
      if (state.peek().name === 'simulated' || wanted === facing) return;
      stop();
      const question = requests;
      wanted = facing;
      const before = state.peek();
      state.value =
        before.name === 'problem' ? { ...before, isAskedAgain: true } : { name: 'asking' };
      const answer = await askFor(devices, facing);
      if (question !== requests) {
        if (answer.name === 'live') stopTracks(answer.stream);
        return;
      }
      if (answer.name === 'problem') wanted = null;
      state.value = answer;
      if (answer.name !== 'live') return;
      for (const track of answer.stream.getTracks()) {
        // The camera was unplugged, or the permission was revoked in the browser's settings.
        track.addEventListener('ended', () => {
          if (question !== requests) return;
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
    // `ideal` still accepts a computer's only camera, whichever way it faces.
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
function toCameraProblem(error: unknown): CameraProblem {
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
