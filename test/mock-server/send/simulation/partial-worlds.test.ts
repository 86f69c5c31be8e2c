import { describe, expect, it } from 'vitest';
import { createDice } from './dice.ts';
import { cycle, status } from './families.ts';
import { matches } from './receivers.ts';
import {
  type Behaviour,
  HOUR,
  KINDS,
  type Match,
  MINUTE,
  type Scenario,
  SECOND,
  type Segment,
} from './scenario.ts';
import { play, START_MS, type Trace } from './world.ts';

/** One endpoint with traffic, and a receiver that does not accept all of it. */
interface PartialWorld {
  readonly everyMs: number;
  readonly hours: number;
  readonly segments: readonly Segment[];
  /** The share of the sessions that fail, and so report `verification.failed`. */
  readonly failedShare?: number;
  /** The number of failed sessions in the first second. */
  readonly burst?: number;
  /** The kinds of events that the endpoint gets. The default is all that end a session. */
  readonly events?: readonly string[];
}

/** What became of the events that the receiver accepts. */
interface Outcome {
  /** The share that was delivered. */
  readonly share: number;
  /** The waits of the delivered events, in seconds. */
  readonly medianWait: number;
  readonly p90Wait: number;
  /** Time of the first pause in hours, or null. */
  readonly pausedAfter: number | null;
}

const WELL: Behaviour = { kind: 'status', status: 200, delayMs: 50 };

/** Returns a receiver that responds in this way to some events, and accepts all others. */
function refusing(events: Match, behaviour: Behaviour): readonly Segment[] {
  return [{ fromMs: 0, behaviour: WELL, exception: { events, behaviour } }];
}

/** Returns a receiver that refuses the events of sessions that failed. */
function refusingFailed(behaviour: Behaviour): readonly Segment[] {
  return refusing({ by: 'kind', kind: 'verification.failed' }, behaviour);
}

/** Returns a receiver that is down from the tenth minute on. */
function downFor(ms: number, behaviour: Behaviour): readonly Segment[] {
  const fromMs = 10 * MINUTE;
  return [
    { fromMs: 0, behaviour: WELL },
    { fromMs, behaviour },
    { fromMs: fromMs + ms, behaviour: WELL },
  ];
}

/** Returns a receiver that is up for a minute and then down for five, again and again. */
function flapping(hours: number): readonly Segment[] {
  return cycle([WELL, MINUTE], [status(500), 5 * MINUTE], hours * HOUR);
}

/** The seed of every world. The figures are those of this seed and of another one, with a margin. */
const SEED = 1;

interface Case {
  readonly name: string;
  readonly world: PartialWorld;
  /** The smallest share of the accepted events that arrive. */
  readonly share: number;
  /** The largest median and 90th percentile of their waits, in seconds. */
  readonly waits: readonly [median: number, p90: number];
  /** True if `npm test` plays this world. */
  readonly isQuick?: boolean;
}

const SECONDS = { everyMs: SECOND, hours: 1 / 4 } as const;
const MINUTES = { everyMs: MINUTE, hours: 8 } as const;
const slow = { kind: 'hang' } as const;
const limited = { kind: 'limited', perSecond: 2, delayMs: 50 } as const;

const CASES: readonly Case[] = [
  ...[0.15, 0.6].flatMap((failedShare) => [
    {
      name: `${100 * failedShare} % refused by kind with 500, one a second`,
      world: { ...SECONDS, failedShare, segments: refusingFailed(status(500)) },
      share: 0.95,
      waits: failedShare < 0.5 ? ([3, 10] as const) : ([10, 90] as const),
      isQuick: failedShare < 0.5,
    },
    {
      name: `${100 * failedShare} % refused by kind with 422, one a minute`,
      world: { ...MINUTES, failedShare, segments: refusingFailed(status(422)) },
      share: 0.95,
      waits: failedShare < 0.4 ? ([20, 120] as const) : ([60, 300] as const),
    },
  ]),
  ...(['session', 'event'] as const).flatMap((by) => [
    {
      name: `30 % refused by ${by} with 503, one a second, with session.started`,
      world: { ...SECONDS, events: KINDS, segments: refusing({ by, share: 0.3 }, status(503)) },
      share: 0.95,
      waits: [3, 10] as const,
      isQuick: by === 'session',
    },
    {
      name: `45 % refused by ${by} with 422, one a minute, with session.started`,
      world: { ...MINUTES, events: KINDS, segments: refusing({ by, share: 0.45 }, status(422)) },
      share: 0.95,
      waits: [30, 240] as const,
    },
  ]),
  {
    name: '30 % time out, one a second',
    world: { ...SECONDS, failedShare: 0.3, segments: refusingFailed(slow) },
    share: 0.9,
    waits: [30, 180],
  },
  ...[5, 300].map((burst) => ({
    name: `${burst} refused with 422 at once, then one good event a minute`,
    world: { ...MINUTES, burst, segments: refusingFailed(status(422)) },
    share: 0.98,
    waits: [15, 60] as const,
    isQuick: burst === 5,
  })),
  {
    name: 'flapping, one a minute',
    world: { ...MINUTES, segments: flapping(9) },
    share: 0.85,
    waits: [400, 1_500],
    isQuick: true,
  },
  {
    name: 'two requests a second, one event a second',
    world: { ...SECONDS, segments: [{ fromMs: 0, behaviour: limited }] },
    share: 0.95,
    waits: [3, 60],
    isQuick: true,
  },
  {
    name: 'an hour of 500, one a minute',
    world: { ...MINUTES, segments: downFor(HOUR, status(500)) },
    share: 1,
    waits: [1, 2_500],
  },
  {
    name: 'ten minutes of time-outs, one a second',
    world: { everyMs: SECOND, hours: 1 / 2, segments: downFor(10 * MINUTE, slow) },
    share: 0.99,
    waits: [400, 900],
  },
];

/** P11 of the simulation has such receivers with random figures. `npm run test:all` plays all worlds. */
const PLAYED =
  process.env['OFAGE_CHECKS'] === 'all' ? CASES : CASES.filter(({ isQuick }) => isQuick);

describe('a receiver that does not accept everything', () => {
  it.each(PLAYED)(
    'gets the other events: $name',
    async ({ world, share, waits }) => {
      const outcome = await playPartial(world, SEED);
      expect(outcome.share).toBeGreaterThanOrEqual(share);
      expect(outcome.medianWait).toBeLessThanOrEqual(waits[0]);
      expect(outcome.p90Wait).toBeLessThanOrEqual(waits[1]);
      expect(outcome.pausedAfter).toBeNull();
    },
    60_000,
  );
});

describe('a receiver that is down for two hours, and then up for one minute in six,', () => {
  it('gets its only event', async () => {
    // With a wait of exactly ten minutes, all requests would meet the same three moments of the six minutes.
    const down = { fromMs: 0, behaviour: status(500) };
    const later = flapping(24).filter(({ fromMs }) => fromMs >= 2 * HOUR);
    const world = { everyMs: 1_000 * HOUR, hours: 23, burst: 1, segments: [down, ...later] };
    for (let seed = 1; seed <= 8; seed += 1)
      expect(await playPartial(world, seed)).toMatchObject({ share: 1, pausedAfter: null });
  }, 60_000);
});

/** Plays a world, and for ten minutes more than its traffic lasts. */
async function playPartial(world: PartialWorld, seed: number): Promise<Outcome> {
  return measure(await play(toScenario(world, seed), 100_000));
}

function toScenario(world: PartialWorld, seed: number): Scenario {
  const { everyMs, hours, segments, failedShare = 0, burst = 0 } = world;
  const events = world.events ?? KINDS.filter((kind) => kind !== 'session.started');
  const dice = createDice(seed);
  const session = (atMs: number, afterMs: number, scenario: string) =>
    ({ atMs, pair: 0, tenant: 0, end: { afterMs, scenario } }) as const;
  return {
    seed,
    endpoints: [{ events, isSigned: true, isScoped: false, segments: [segments, segments] }],
    legacy: null,
    timeoutAttempts: 3,
    sessions: [
      ...Array.from({ length: burst }, () => session(SECOND, 1, 'failed_age_not_met')),
      ...Array.from({ length: (hours * HOUR) / everyMs }, (_, n) => {
        const isFailed = dice.chance(failedShare);
        const atMs = 2 * SECOND + n * everyMs + dice.below(everyMs);
        return session(
          atMs,
          dice.between(20, 80) * SECOND,
          isFailed ? 'failed_age_not_met' : 'verified',
        );
      }),
    ],
    operations: [],
    crashes: [],
    isShared: false,
    endMs: hours * HOUR + 12 * MINUTE,
  };
}

function measure(trace: Trace): Outcome {
  const events = new Map(trace.rows('events').map((event) => [event.id, event]));
  const exception = trace.scenario.endpoints[0]!.segments[0][0]!.exception;
  const accepted = trace.rows('deliveries').filter(({ eventId, createdAtMs }) => {
    const { kind, sessionId } = events.get(eventId)!;
    const bodyText = `{"event":"${kind}","data":{"sessionId":"${sessionId}"}}`;
    // The events of the last minutes may still wait.
    const isSettled = createdAtMs < trace.endMs - 12 * MINUTE;
    return isSettled && !(exception && matches(exception.events, bodyText));
  });
  const waits = accepted
    .flatMap(({ deliveredAtMs, createdAtMs }) =>
      deliveredAtMs === null ? [] : [(deliveredAtMs - createdAtMs) / SECOND],
    )
    .sort((a, b) => a - b);
  const at = (part: number): number => waits[Math.floor(part * (waits.length - 1))] ?? Infinity;
  const [notice] = trace.rows('notices');
  return {
    share: waits.length / Math.max(1, accepted.length),
    medianWait: at(0.5),
    p90Wait: at(0.9),
    pausedAfter: notice ? (notice.createdAtMs - START_MS) / HOUR : null,
  };
}
