import { createDice, type Dice } from './dice.ts';
import {
  type Behaviour,
  type Crash,
  createAnyScenario,
  type EndpointPlan,
  HOUR,
  KINDS,
  type Match,
  MINUTE,
  ok,
  type Operation,
  type Scenario,
  SECOND,
  type Segment,
  type SessionPlan,
  toBehaviour,
  toCrash,
  toMatch,
} from './scenario.ts';

export const FAILURES: readonly Behaviour[] = [
  { kind: 'status', status: 500, delayMs: 5 },
  { kind: 'status', status: 502, delayMs: 14_999 },
  { kind: 'status', status: 429, retryAfter: '7', delayMs: 0 },
  { kind: 'hang' },
  { kind: 'connect' },
  { kind: 'dns_fail' },
  { kind: 'reset_after', delayMs: 300 },
];

export function status(code: number): Behaviour {
  return { kind: 'status', status: code, delayMs: 5 };
}

export function rejection(dice: Dice): Behaviour {
  return dice.pick([status(401), status(404), status(410), { kind: 'dns_private' } as const]);
}

export function wellFrom(fromMs: number, dice: Dice): Segment {
  return { fromMs, behaviour: ok(dice) };
}

export function cycle(a: [Behaviour, number], b: [Behaviour, number], untilMs: number): Segment[] {
  const segments: Segment[] = [];
  for (let fromMs = 0; fromMs < untilMs; fromMs += a[1] + b[1])
    segments.push({ fromMs, behaviour: a[0] }, { fromMs: fromMs + a[1], behaviour: b[0] });
  return segments;
}

export function endpoint(first: readonly Segment[], second: readonly Segment[]): EndpointPlan {
  return { events: KINDS, isSigned: true, isScoped: false, segments: [first, second] };
}

export function sessionsOver(
  dice: Dice,
  count: number,
  spreadMs: number,
  scenario?: string,
): SessionPlan[] {
  return Array.from({ length: count }, () => ({
    atMs: dice.below(spreadMs) + 1,
    pair: 0,
    tenant: 0,
    end:
      scenario === undefined && dice.chance(0.2)
        ? null
        : {
            afterMs: dice.pick([1, 400, 30 * SECOND]),
            scenario: scenario ?? dice.pick(['verified', 'verified', 'cancelled', 'timeout']),
          },
  }));
}

export function operation(kind: Operation['kind'], atMs: number): Operation {
  return { kind, atMs, endpoint: 0 };
}

export function someOperations(
  dice: Dice,
  untilMs: number,
  kinds: readonly Operation['kind'][],
): Operation[] {
  return inOrder(
    Array.from({ length: dice.pick([0, 1, 2, 4]) }, () =>
      operation(dice.pick(kinds), dice.below(untilMs) + 1),
    ),
  );
}

export function inOrder(operations: readonly Operation[]): Operation[] {
  return operations.toSorted((a, b) => a.atMs - b.atMs);
}

export function someCrashes(dice: Dice): Crash[] {
  return dice.chance(0.5) ? [] : Array.from({ length: dice.between(1, 2) }, () => toCrash(dice));
}

/**
 * Creates the scenario of a seed. Most seeds are random. About three in ten belong to a family that leads
 * to states that random scenarios rarely reach: a whole day of failures, a second pause, a backlog that
 * drains.
 */
export function createScenario(seed: number): Scenario {
  const dice = createDice(seed);
  const any = createAnyScenario(seed, dice);
  const family = FAMILIES.find(({ every, at }) => seed % every === at);
  return family ? { ...any, ...NOTHING, ...family.create(dice) } : any;
}

type Family = Partial<Scenario> & Pick<Scenario, 'endpoints' | 'sessions' | 'endMs'>;

const NOTHING = { legacy: null, operations: [], crashes: [], timeoutAttempts: 3 } as const;

const DAY = 24 * HOUR;

const FAMILIES: readonly { every: number; at: number; create: (dice: Dice) => Family }[] = [
  { every: 400, at: 37, create: createFullBatch },
  { every: 80, at: 5, create: createDeadDay },
  { every: 40, at: 17, create: createOldBacklog },
  { every: 20, at: 7, create: createPauses },
  { every: 20, at: 11, create: createRecovery },
  { every: 20, at: 13, create: createMigration },
  { every: 20, at: 19, create: createPair },
  { every: 20, at: 3, create: createChoosy },
  { every: 20, at: 1, create: createPartial },
  { every: 80, at: 9, create: createQuietDay },
  { every: 80, at: 49, create: createLateTest },
];

/**
 * Creates a scenario for P5 and the timer of H3: no request succeeds for a day, while an operator may
 * interfere.
 */
function createDeadDay(dice: Dice): Family {
  const dead = dice.chance(0.3)
    ? // A different failure now and then interrupts the rejections, so that no hour is unbroken.
      cycle([status(401), 50 * MINUTE], [status(500), 12 * MINUTE], 30 * HOUR)
    : [{ fromMs: 0, behaviour: dice.pick(FAILURES) }];
  return {
    endpoints: [endpoint(dead, dead)],
    sessions: sessionsOver(dice, dice.pick([2, 30, 90]), 20 * HOUR),
    operations: someOperations(dice, 26 * HOUR, [
      ...(['secret', 'test', 'resume', 'redeliver', 'enable'] as const),
      ...(dice.chance(0.3) ? (['move', 'disable'] as const) : []),
    ]),
    crashes: someCrashes(dice),
    endMs: 46 * HOUR,
  };
}

/**
 * Creates a scenario for the timer of H3: failures may stop long before the day is over, because no event
 * is left to send.
 */
function createQuietDay(dice: Dice): Family {
  const dead = [{ fromMs: 0, behaviour: dice.pick(FAILURES) }];
  return {
    endpoints: [{ ...endpoint(dead, dead), events: ['session.started', 'session.timeout'] }],
    sessions: sessionsOver(dice, dice.between(3, 12), dice.between(1, 23) * HOUR),
    operations: someOperations(dice, 30 * HOUR, ['secret', 'test', 'enable']),
    crashes: someCrashes(dice),
    endMs: 36 * HOUR,
  };
}

/** Creates a scenario for H6 and H8: the URL changes, usually while a test of the old one is in flight. */
function createLateTest(dice: Dice): Family {
  const wellAt = dice.between(70, 100) * MINUTE;
  const slow: Behaviour = { kind: 'status', status: 200, delayMs: dice.pick([4_000, 9_000]) };
  const first = [
    { fromMs: 0, behaviour: rejection(dice) },
    { fromMs: wellAt, behaviour: slow },
  ];
  const testAt = wellAt + dice.between(1, 30) * MINUTE;
  return {
    endpoints: [endpoint(first, [{ fromMs: 0, behaviour: rejection(dice) }])],
    sessions: sessionsOver(dice, dice.between(5, 15), 2 * HOUR),
    operations: inOrder([
      operation(dice.pick(['test', 'resume'] as const), testAt),
      operation('move', testAt + dice.pick([1, 500, 3_900, 8_900])),
      ...someOperations(dice, 4 * HOUR, ['resume', 'redeliver', 'secret']),
    ]),
    endMs: 30 * HOUR,
  };
}

/**
 * Creates a scenario for H1 to H6: a receiver rejects for more than an hour, is healthy for some time, and
 * rejects again.
 */
function createPauses(dice: Dice): Family {
  const wellAt = dice.between(70, 100) * MINUTE;
  const illAgainAt = wellAt + dice.between(30, 60) * MINUTE;
  const wellAgainAt = illAgainAt + dice.between(75, 120) * MINUTE;
  const interruption = dice.between(20, 55) * MINUTE;
  const segments: Segment[] = [
    { fromMs: 0, behaviour: rejection(dice) },
    ...(dice.chance(0.3)
      ? [
          { fromMs: interruption, behaviour: dice.pick(FAILURES) },
          { fromMs: interruption + 6 * MINUTE, behaviour: rejection(dice) },
        ]
      : []),
    { fromMs: wellAt, behaviour: ok(dice) },
    { fromMs: illAgainAt, behaviour: rejection(dice) },
    { fromMs: wellAgainAt, behaviour: ok(dice) },
  ];
  return {
    endpoints: [endpoint(segments, dice.chance(0.5) ? segments : [wellFrom(0, dice)])],
    sessions: sessionsOver(dice, dice.between(15, 30), wellAgainAt),
    operations: inOrder([
      // The first resume is too early, and the second one succeeds.
      operation('resume', wellAt - dice.between(1, 5) * MINUTE),
      operation('resume', wellAt + dice.between(1, 10) * MINUTE),
      operation('resume', wellAgainAt + dice.between(1, 10) * MINUTE),
      operation('redeliver', wellAgainAt + dice.between(15, 30) * MINUTE),
      ...someOperations(dice, wellAgainAt, ['test', 'resume', 'move', 'disable', 'enable']),
    ]),
    crashes: dice.chance(0.3)
      ? [
          {
            phase: dice.pick(['c5', 'c5_before'] as const),
            pause: dice.between(1, 2),
            downMs: 40 * SECOND,
          },
        ]
      : someCrashes(dice),
    endMs: wellAgainAt + 27 * HOUR,
  };
}

/** Creates a scenario for P7: a backlog, and then a healthy receiver. */
function createRecovery(dice: Dice): Family {
  const wellAt = dice.between(1, 40) * MINUTE;
  const segments = [{ fromMs: 0, behaviour: toBehaviour(dice) }, wellFrom(wellAt, dice)];
  return {
    endpoints: [endpoint(segments, segments)],
    sessions: sessionsOver(dice, dice.between(8, 30), dice.pick([SECOND, MINUTE, wellAt])),
    operations: someOperations(dice, wellAt + HOUR, ['test', 'move', 'secret', 'resume']),
    crashes: someCrashes(dice),
    timeoutAttempts: dice.pick([3, 5, 10]),
    endMs: wellAt + 26 * HOUR,
  };
}

/**
 * Creates a scenario for P7b: an otherwise healthy receiver does not accept some events for some time. In
 * some scenarios it is also down once.
 */
function createChoosy(dice: Dice): Family {
  const spreadMs = dice.pick([MINUTE, 20 * MINUTE, 2 * HOUR]);
  const exception = { events: toMatch(dice), behaviour: dice.pick([...FAILURES, status(422)]) };
  const downAt = dice.below(spreadMs);
  const segments: Segment[] = [
    { ...wellFrom(0, dice), exception },
    ...(dice.chance(0.4)
      ? [
          { fromMs: downAt, behaviour: dice.pick(FAILURES) },
          { ...wellFrom(downAt + dice.pick([SECOND, MINUTE, 20 * MINUTE]), dice), exception },
        ]
      : []),
    wellFrom(spreadMs + dice.between(1, 240) * MINUTE, dice),
  ];
  return {
    endpoints: [endpoint(segments, segments)],
    sessions: sessionsOver(dice, dice.pick([10, 25, 60]), spreadMs),
    operations: someOperations(dice, 2 * HOUR, ['test', 'secret', 'move', 'resume', 'redeliver']),
    crashes: someCrashes(dice),
    timeoutAttempts: dice.pick([3, 5, 10]),
    endMs: spreadMs + 30 * HOUR,
  };
}

/**
 * Creates a scenario for P7, P9, P11 and H11: the receiver refuses a part of the traffic, is overloaded, or
 * flaps, at one event a second or a minute.
 */
function createPartial(dice: Dice): Family {
  const everyMs = dice.pick([SECOND, MINUTE]);
  const count = dice.between(20, 120);
  const spreadMs = count * everyMs;
  const bad: Behaviour = dice.pick([status(422), status(500), status(503), { kind: 'hang' }]);
  const share = dice.pick([0.05, 0.15, 0.3, 0.45, 0.6]);
  const kind = 'verification.cancelled';
  const events = dice.pick<Match>([
    { by: 'kind', kind },
    { by: 'session', share },
    { by: 'event', share },
  ]);
  const well: Behaviour = { kind: 'status', status: 200, delayMs: dice.pick([5, 50, 900]) };
  const downAt = dice.below(spreadMs);
  const partial: Segment = { fromMs: 0, behaviour: well, exception: { events, behaviour: bad } };
  const down: Segment = { fromMs: downAt, behaviour: bad };
  const segments = dice.pick<readonly Segment[]>([
    [partial],
    [partial],
    [partial, down, { ...partial, fromMs: downAt + dice.between(1, 60) * MINUTE }],
    [{ fromMs: 0, behaviour: { kind: 'limited', perSecond: 2, delayMs: 50 } }],
    cycle([well, MINUTE], [status(500), 5 * MINUTE], 30 * HOUR),
  ]);
  const isRefusedKind = (n: number): boolean => n % 20 < 20 * share;
  const burst = dice.chance(0.3) ? dice.pick([5, 20, 60, 300]) : 0;
  const end = (scenario: string) => ({ afterMs: dice.pick([1, 400, 30 * SECOND]), scenario });
  return {
    endpoints: [endpoint(segments, segments)],
    sessions: [
      ...Array.from({ length: burst }, () => ({
        atMs: 1 + dice.below(SECOND),
        pair: 0 as const,
        tenant: 0 as const,
        end: { afterMs: 1, scenario: 'cancelled' },
      })),
      ...Array.from({ length: count }, (_, n) => ({
        atMs: 2 * SECOND + n * everyMs + dice.below(everyMs),
        pair: 0 as const,
        tenant: 0 as const,
        end: end(isRefusedKind(n) ? 'cancelled' : 'verified'),
      })),
    ],
    endMs: spreadMs + 26 * HOUR,
    // Events that failed while the receiver was down wait among those that it always refuses.
    expectsArrival: !segments.includes(down),
  };
}

/** Creates a scenario for H9: the legacy webhook becomes an endpoint, in any state. */
function createMigration(dice: Dice): Family {
  const wellAt = dice.between(30, 150) * MINUTE;
  const segments = [
    { fromMs: 0, behaviour: dice.chance(0.5) ? rejection(dice) : toBehaviour(dice) },
    wellFrom(wellAt, dice),
  ];
  const migrateAt = dice.between(1, 170) * MINUTE;
  return {
    endpoints: [],
    legacy: endpoint(segments, segments),
    sessions: sessionsOver(dice, dice.between(5, 20), 3 * HOUR),
    // The operations after the migration address the migrated endpoint, because it is the first one.
    operations: inOrder([
      operation('legacy_migrate', migrateAt),
      operation('resume', wellAt + 5 * MINUTE),
      operation('redeliver', wellAt + 20 * MINUTE),
      ...someOperations(dice, 5 * HOUR, [
        ...(['legacy_put', 'legacy_put', 'legacy_delete', 'legacy_migrate', 'resume'] as const),
        ...(['move', 'delete', 'test', 'disable', 'enable'] as const),
      ]),
    ]),
    crashes: someCrashes(dice),
    endMs: 31 * HOUR,
  };
}

/** Creates a scenario for H7: events that are about a week old. */
function createOldBacklog(dice: Dice): Family {
  const wellAt = dice.between(2, 4) * HOUR;
  const segments = [{ fromMs: 0, behaviour: rejection(dice) }, wellFrom(wellAt, dice)];
  const late = 7 * DAY + dice.between(0, 150) * MINUTE;
  return {
    endpoints: [endpoint(segments, segments)],
    sessions: [
      ...sessionsOver(dice, 8, wellAt + 2 * HOUR),
      // This event keeps the endpoint in use and shows that it is healthy.
      { atMs: 6 * DAY, pair: 0, tenant: 0, end: { afterMs: 400, scenario: 'verified' } },
    ],
    operations: inOrder([
      operation('resume', wellAt + dice.between(1, 60) * MINUTE),
      operation('redeliver', late),
      operation('redeliver', late + HOUR),
    ]),
    crashes: someCrashes(dice),
    endMs: 9 * DAY,
  };
}

/** Creates a scenario for H7: more than one batch. */
function createFullBatch(dice: Dice): Family {
  const segments = [{ fromMs: 0, behaviour: status(404) }, wellFrom(2 * HOUR, dice)];
  return {
    endpoints: [{ ...endpoint(segments, segments), events: ['verification.completed'] }],
    sessions: [
      ...sessionsOver(dice, 3, MINUTE, 'verified'),
      ...sessionsOver(dice, dice.between(500, 540), MINUTE, 'verified').map((plan) => ({
        ...plan,
        atMs: plan.atMs + 90 * MINUTE,
      })),
    ],
    operations: [
      operation('resume', 3 * HOUR),
      operation('redeliver', 3 * HOUR + 20 * SECOND),
      operation('redeliver', 3 * HOUR + dice.pick([20, 21, 200]) * SECOND),
    ],
    crashes: someCrashes(dice),
    endMs: 28 * HOUR,
  };
}

/** Creates a scenario for P6: two endpoints, of which the second one may behave in any way. */
function createPair(dice: Dice): Family {
  const first = [
    { fromMs: 0, behaviour: toBehaviour(dice) },
    wellFrom(dice.between(1, 90) * MINUTE, dice),
  ];
  const second = [
    { fromMs: 0, behaviour: toBehaviour(dice) },
    ...(dice.chance(0.7) ? [wellFrom(dice.between(1, 90) * MINUTE, dice)] : []),
  ];
  return {
    endpoints: [endpoint(first, first), endpoint(second, second)],
    sessions: sessionsOver(dice, dice.between(3, 20), dice.pick([SECOND, 10 * MINUTE, HOUR])),
    operations: someOperations(dice, 2 * HOUR, ['test', 'secret', 'resume', 'redeliver', 'move']),
    endMs: 28 * HOUR,
    isPaired: true,
  };
}
