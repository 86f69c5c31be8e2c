import { describe, expect, it } from 'vitest';
import { createCamera, facingFor } from '../../../playground/verify/camera.ts';

/** Creates a stream with one track, which records stop() and can fire "ended". */
function aStream() {
  const track = Object.assign(new EventTarget(), {
    isStopped: false,
    stop(): void {
      track.isStopped = true;
    },
  });
  return { track, stream: { getTracks: () => [track] } as unknown as MediaStream };
}

/** Creates media devices that hold each request until the test answers it. */
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

/** Opens a camera with the shopper's permission. */
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
    ['face', 'user'],
    ['selfie', 'user'],
    ['front', 'environment'],
    ['back', 'environment'],
  ] as const)('takes the step %s with the %s camera', async (step, facing) => {
    const { requests, devices } = someDevices();
    void createCamera(devices).open(facingFor(step));
    expect(requests[0]?.constraints).toMatchObject({
      audio: false,
      video: { facingMode: { ideal: facing } },
    });
  });

  it('is live once the browser grants access, and stays live for the next picture', async () => {
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

  it('stops its track when it switches to the other camera, and when it is closed', async () => {
    const switched = await anOpenCamera('environment');
    void switched.camera.open('user');
    expect(switched.track.isStopped).toBe(true);
    const closed = await anOpenCamera('user');
    closed.camera.close();
    expect(closed.track.isStopped).toBe(true);
    expect(closed.camera.state.value.name).toBe('off');
  });

  it('stops its track when the permission arrives after close()', async () => {
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

  const anError = (name: string) => new DOMException('', name);
  it.each([
    ['denied', denied],
    ['missing', anError('NotFoundError')],
    ['missing', anError('OverconstrainedError')],
    ['busy', anError('NotReadableError')],
    ['busy', anError('AbortError')],
    ['failed', new TypeError('no')],
    ['failed', 'a value that is not an error'],
  ])('reports the problem "%s" after %s', async (problem, error) => {
    const { requests, devices } = someDevices();
    const camera = createCamera(devices);
    const opening = camera.open('user');
    requests[0]?.refuse(error);
    await opening;
    expect(camera.state.value).toEqual({ name: 'problem', problem, isAskedAgain: false });
  });

  it('reports the problem "insecure" on a page that is not secure', async () => {
    const camera = createCamera(undefined);
    await camera.open('user');
    expect(camera.state.value).toEqual({
      name: 'problem',
      problem: 'insecure',
      isAskedAgain: false,
    });
  });

  it('can be opened again after a problem', async () => {
    const { requests, devices } = someDevices();
    const camera = createCamera(devices);
    const first = camera.open('user');
    requests[0]?.refuse(denied);
    await first;
    const second = camera.open('user');
    // The problem and its retry button stay visible until the browser answers.
    expect(camera.state.value).toEqual({ name: 'problem', problem: 'denied', isAskedAgain: true });
    await camera.open('user');
    expect(requests).toHaveLength(2);
    requests[1]?.answer(aStream().stream);
    await second;
    expect(camera.state.value.name).toBe('live');
  });

  it('reports a problem when the camera is unplugged', async () => {
    const { camera, track } = await anOpenCamera('user');
    track.dispatchEvent(new Event('ended'));
    expect(camera.state.value).toEqual({ name: 'problem', problem: 'failed', isAskedAgain: false });
  });

  it('does not request access again after the shopper chose to continue without a camera', async () => {
    const { requests, devices } = someDevices();
    const camera = createCamera(devices);
    camera.simulate();
    camera.close();
    await camera.open('environment');
    expect(camera.state.value.name).toBe('simulated');
    expect(requests).toEqual([]);
  });
});
