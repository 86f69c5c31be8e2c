import { describe, expect, it } from 'vitest';
import { answered, createScene } from './scene.ts';
import type { Behaviour, EndpointPlan, Segment } from './simulation/scenario.ts';
import { toUrl } from './simulation/operator.ts';
import { play, START_MS } from './simulation/world.ts';

const GOOD = 'https://good.example/hook';
const OTHER = 'https://other.example/hook';

const HOUR_MS = 3_600_000;
const always = (behaviour: Behaviour): Segment[] => [{ fromMs: 0, behaviour }];
const status = (code: number, retryAfter?: string): Behaviour => ({
  kind: 'status',
  status: code,
  delayMs: 20,
  ...(retryAfter !== undefined && { retryAfter }),
});
const plan = (segments: readonly Segment[]): EndpointPlan => ({
  events: [],
  isSigned: true,
  isScoped: false,
  segments: [segments, segments],
});

/** Returns the start time and the body of each request to one endpoint while the other behaves as given. */
async function startsBeside(other: Behaviour, own: readonly Segment[]): Promise<string[]> {
  const trace = await play({
    seed: 7,
    endpoints: [plan(own), plan(always(other))],
    legacy: null,
    timeoutAttempts: 3,
    // Create all sessions before the first attempt, so that ids and therefore jitter are the same.
    sessions: Array.from({ length: 5 }, (_, n) => ({
      atMs: 1,
      pair: 0,
      tenant: 0,
      end: { afterMs: 1, scenario: n < 3 ? 'verified' : 'timeout' },
    })),
    operations: [],
    crashes: [],
    isShared: false,
    endMs: 30 * HOUR_MS,
  });
  return trace.sent
    .filter(({ url }) => url === toUrl('e0', 0))
    .map(({ atMs, bodyText }) => `${atMs - START_MS} ${bodyText}`);
}

describe('a dead endpoint', () => {
  it.each<[string, Segment[]]>([
    ['is healthy', always(status(204))],
    [
      'is down for some time',
      [
        { fromMs: 0, behaviour: status(500) },
        { fromMs: HOUR_MS, behaviour: status(200) },
      ],
    ],
    [
      'responds with Retry-After',
      [
        { fromMs: 0, behaviour: status(429, '120') },
        { fromMs: 300_000, behaviour: status(200) },
      ],
    ],
    ['always fails', always(status(500))],
    ['always rejects', always(status(404))],
    ['never responds', always({ kind: 'hang' })],
  ])(
    'does not change the start times of requests to another endpoint, which %s',
    async (_name, own) => {
      const alone = await startsBeside(status(204), own);
      expect(alone.length).toBeGreaterThan(9);
      for (const other of [status(500), status(404), status(429, '60')])
        expect(await startsBeside(other, own)).toEqual(alone);
      for (const kind of ['hang', 'dns_hang', 'connect', 'dns_private', 'reset_after'] as const)
        expect(await startsBeside({ kind, delayMs: 14_999 } as Behaviour, own)).toEqual(alone);
    },
  );

  it('does not delay other endpoints in real time while its requests hang', async () => {
    let release = (): void => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    const scene = await createScene(
      async (url) => {
        if (url === OTHER) await held;
        return answered(204);
      },
      { endpoints: [OTHER, GOOD].map((url) => ({ url })), realClock: systemLike() },
    );
    for (let n = 0; n < 50; n += 1) await scene.control.trigger({ name: 'verified' });
    const good = () => scene.sent.filter(({ url }) => url === GOOD).length;
    while (good() < 100) await new Promise((resolve) => setTimeout(resolve, 5));
    // At most eight requests are in flight until one of them ends.
    expect(scene.sent.filter(({ url }) => url === OTHER)).toHaveLength(8);
    release();
    await scene.service.close();
  });
});

function systemLike() {
  return {
    now: () => Date.now(),
    wakeAt(atMs: number, wake: () => void) {
      const timer = setTimeout(wake, Math.max(0, atMs - Date.now()));
      return () => clearTimeout(timer);
    },
  };
}
