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
export interface PartialWorld {
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
export interface Outcome {
  /** The share that was delivered. */
  readonly share: number;
  /** The waits of the delivered events, in seconds. */
  readonly medianWait: number;
  readonly p90Wait: number;
  readonly longestWait: number;
  readonly requests: number;
  /** Time of the first pause in hours, or null. */
  readonly pausedAfter: number | null;
  /** The most attempts of one event in an hour. */
  readonly mostAttemptsInAnHour: number;
}

const WELL: Behaviour = { kind: 'status', status: 200, delayMs: 50 };

/** Returns a receiver that responds in this way to some events, and accepts all others. */
export function refusing(events: Match, behaviour: Behaviour): readonly Segment[] {
  return [{ fromMs: 0, behaviour: WELL, exception: { events, behaviour } }];
}

/** Returns a receiver that refuses the events of sessions that failed. */
export function refusingFailed(behaviour: Behaviour): readonly Segment[] {
  return refusing({ by: 'kind', kind: 'verification.failed' }, behaviour);
}

/** Returns a receiver that is down from the tenth minute on. */
export function downFor(ms: number, behaviour: Behaviour): readonly Segment[] {
  const fromMs = 10 * MINUTE;
  return [
    { fromMs: 0, behaviour: WELL },
    { fromMs, behaviour },
    { fromMs: fromMs + ms, behaviour: WELL },
  ];
}

/** Returns a receiver that is up for a minute and then down for five, again and again. */
export function flapping(hours: number): readonly Segment[] {
  return cycle([WELL, MINUTE], [status(500), 5 * MINUTE], hours * HOUR);
}

/** Plays a world, and for ten minutes more than its traffic lasts. */
export async function playPartial(world: PartialWorld, seed: number): Promise<Outcome> {
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
    longestWait: at(1),
    requests: trace.sent.length,
    pausedAfter: notice ? (notice.createdAtMs - START_MS) / HOUR : null,
    mostAttemptsInAnHour: countMostAttempts(trace),
  };
}

function countMostAttempts({ sent }: Trace): number {
  const times = new Map<string, number[]>();
  let most = 0;
  for (const { bodyText, atMs } of sent) {
    const own = times.get(bodyText) ?? [];
    times.set(bodyText, own);
    own.push(atMs);
    while (own[0]! <= atMs - HOUR) own.shift();
    most = Math.max(most, own.length);
  }
  return most;
}
