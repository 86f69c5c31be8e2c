import { describe, expect, it } from 'vitest';
import { createCamera, facingFor } from '../../../playground/verify/camera.ts';

/** A stream with one track, which remembers that it was stopped and can be unplugged. */
function aStream() {
  const track = Object.assign(new EventTarget(), {
    isStopped: false,
    stop(): void {
      track.isStopped = true;
    },
  });
  return { track, stream: { getTracks: () => [track] } as unknown as MediaStream };
}

/** The browser's side: each request waits until the test answers it. */
function someDevices() {
  const requests: {
    readonly constraints: MediaStreamConstraints;
    readonly answer: (stream: MediaStream) => void;
    readonly refuse: (error: unknown) => void;
  }[] = [];
  const getUserMedia = (constraints: MediaStreamConstraints = {}): Promise<MediaStream> =>
    new Promise((answer, refuse) => requests.push({ constraints, answer, refuse }));
  return { requests, devices: { getUserMedia } };
}

/** A camera that the shopper has allowed, and the track it shows. */
async function anOpenCamera(facing: 'user' | 'environment') {
  const { requests, devices } = someDevices();
  const camera = createCamera(devices);
  const { stream, track } = aStream();
  const opening = camera.open(facing);
  requests[0]?.answer(stream);
  await opening;
  return { camera, track };
}

const denied = new DOMException('Permission denied', 'NotAllowedError');

describe('the camera', () => {
  it.each([
    { step: 'face', facing: 'user' },
    { step: 'selfie', facing: 'user' },
    { step: 'front', facing: 'environment' },
    { step: 'back', facing: 'environment' },
  ] as const)('looks for a $step with the one that faces $facing', async ({ step, facing }) => {
    const { requests, devices } = someDevices();
    void createCamera(devices).open(facingFor(step));
    expect(requests[0]?.constraints).toMatchObject({
      audio: false,
      video: { facingMode: { ideal: facing } },
    });
  });

  it('is live once the browser has given it, and stays so for the next picture', async () => {
    const { requests, devices } = someDevices();
    const camera = createCamera(devices);
    const opening = camera.open('environment');
    expect(camera.state.value.name).toBe('asking');
    requests[0]?.answer(aStream().stream);
    await opening;
    expect(camera.state.value).toMatchObject({ name: 'live', facing: 'environment' });
    await camera.open('environment');
    expect(requests).toHaveLength(1);
  });

  it('turns one off before the other', async () => {
    const { camera, track } = await anOpenCamera('environment');
    void camera.open('user');
    expect(track.isStopped).toBe(true);
    expect(camera.state.value.name).toBe('asking');
  });

  it('is off when closed', async () => {
    const { camera, track } = await anOpenCamera('user');
    camera.close();
    expect(track.isStopped).toBe(true);
    expect(camera.state.value.name).toBe('off');
  });

  it('is off as well when the permission comes after the page has moved on', async () => {
    const { requests, devices } = someDevices();
    const camera = createCamera(devices);
    const { stream, track } = aStream();
    const opening = camera.open('user');
    camera.close();
    requests[0]?.answer(stream);
    await opening;
    expect(track.isStopped).toBe(true);
    expect(camera.state.value.name).toBe('off');
  });

  it.each([
    { error: denied, problem: 'denied' },
    { error: new DOMException('', 'NotFoundError'), problem: 'missing' },
    { error: new DOMException('', 'OverconstrainedError'), problem: 'missing' },
    { error: new DOMException('', 'NotReadableError'), problem: 'busy' },
    { error: new DOMException('', 'AbortError'), problem: 'busy' },
    { error: new TypeError('no'), problem: 'failed' },
    { error: 'no', problem: 'failed' },
  ])('has the problem "$problem" after $error.name', async ({ error, problem }) => {
    const { requests, devices } = someDevices();
    const camera = createCamera(devices);
    const opening = camera.open('user');
    requests[0]?.refuse(error);
    await opening;
    expect(camera.state.value).toEqual({ name: 'problem', problem, isAskedAgain: false });
  });

  it('is not there on a page that is not secure', async () => {
    const camera = createCamera(undefined);
    await camera.open('user');
    expect(camera.state.value).toEqual({
      name: 'problem',
      problem: 'insecure',
      isAskedAgain: false,
    });
  });

  it('can be tried again after a problem', async () => {
    const { requests, devices } = someDevices();
    const camera = createCamera(devices);
    const first = camera.open('user');
    requests[0]?.refuse(denied);
    await first;
    const second = camera.open('user');
    // What was in the way stays on screen until there is an answer, and with it the button that asked.
    expect(camera.state.value).toEqual({ name: 'problem', problem: 'denied', isAskedAgain: true });
    await camera.open('user');
    expect(requests).toHaveLength(2);
    requests[1]?.answer(aStream().stream);
    await second;
    expect(camera.state.value.name).toBe('live');
  });

  it('says so when it is unplugged', async () => {
    const { camera, track } = await anOpenCamera('user');
    track.dispatchEvent(new Event('ended'));
    expect(camera.state.value).toEqual({ name: 'problem', problem: 'failed', isAskedAgain: false });
  });

  it('is not asked for again by a shopper who went on without', async () => {
    const { requests, devices } = someDevices();
    const camera = createCamera(devices);
    camera.simulate();
    camera.close();
    await camera.open('environment');
    expect(camera.state.value.name).toBe('simulated');
    expect(requests).toEqual([]);
  });
});
