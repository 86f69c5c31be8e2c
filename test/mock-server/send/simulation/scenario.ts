import type { Dice } from './dice.ts';

/** The behaviour of a receiver for a request. */
export type Behaviour =
  | { kind: 'status'; status: number; retryAfter?: string; delayMs: number }
  /** A 2xx status with a body that never ends. Only the status counts. */
  | { kind: 'endless'; delayMs: number }
  /** Responds with 503 to all requests of a second after the first `perSecond`. */
  | { kind: 'limited'; perSecond: number; delayMs: number }
  | { kind: 'hang' | 'dns_hang' | 'connect' | 'tls' }
  /** The connection breaks before or after the event was handled. */
  | { kind: 'reset_before' | 'reset_after'; delayMs: number }
  | { kind: 'dns_fail' | 'dns_empty' | 'dns_mixed' | 'dns_private' | 'dns_flip' }
  | {
      kind: 'redirect';
      status: number;
      hops: number;
      to: 'final' | 'private' | 'http' | 'nowhere';
    };

export interface Segment {
  /** Time since the start of the scenario, in milliseconds. */
  readonly fromMs: number;
  readonly behaviour: Behaviour;
  readonly exception?: Exception;
}

/** Events to which a receiver responds differently. */
export interface Exception {
  readonly events: Match;
  readonly behaviour: Behaviour;
}

/** The rule by which a receiver distinguishes events: by kind, by session, or by the body. */
export type Match =
  | { readonly by: 'kind'; readonly kind: string }
  /** Matches this share of all sessions, or of all events. */
  | { readonly by: 'session' | 'event'; readonly share: number }
  | { readonly by: 'body'; readonly text: string };

export interface EndpointPlan {
  readonly events: readonly string[];
  readonly isSigned: boolean;
  /** True if the endpoint gets only sessions of the second key pair. */
  readonly isScoped: boolean;
  /** The behaviour of the endpoint's first URL, and of the URL that it is moved to. */
  readonly segments: readonly [readonly Segment[], readonly Segment[]];
}

export interface SessionPlan {
  readonly atMs: number;
  readonly pair: 0 | 1;
  readonly tenant: 0 | 1;
  /** The end of the session, or null to let it expire. */
  readonly end: { readonly afterMs: number; readonly scenario: string } | null;
}

export type Operation = { readonly atMs: number; readonly endpoint: number } & (
  | { kind: 'disable' | 'enable' | 'delete' | 'test' | 'resume' | 'redeliver' | 'move' | 'secret' }
  | { kind: 'legacy_put' | 'legacy_delete' | 'legacy_migrate' | 'add' }
);

/** The point at which the process dies. Random times would miss the short critical moments. */
export type Crash =
  | { phase: 'c0_before' | 'c0'; event: number; downMs: number }
  | { phase: 'c1' | 'c2' | 'c3' | 'c4_before' | 'c4'; attempt: number; downMs: number }
  | { phase: 'c5_before' | 'c5'; pause: number; downMs: number };

export interface Scenario {
  readonly seed: number;
  readonly endpoints: readonly EndpointPlan[];
  readonly legacy: EndpointPlan | null;
  readonly timeoutAttempts: number;
  readonly sessions: readonly SessionPlan[];
  readonly operations: readonly Operation[];
  readonly crashes: readonly Crash[];
  /** True if other processes may share the log, so that a restarted process waits until leases expire. */
  readonly isShared: boolean;
  readonly endMs: number;
  /** True if each event that the receiver accepts must arrive, although it refuses others. */
  readonly expectsArrival?: boolean;
  /** True to play the scenario again with a healthy second endpoint, and compare the first one's requests. */
  readonly isPaired?: boolean;
}

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;

export const KINDS = [
  'session.started',
  'verification.completed',
  'verification.failed',
  'verification.cancelled',
  'session.timeout',
];

export function createAnyScenario(seed: number, dice: Dice): Scenario {
  const legacy = dice.chance(0.15) ? toEndpoint(dice) : null;
  const hasLegacy = legacy !== null;
  const count = hasLegacy ? dice.between(0, 1) : dice.pick([1, 1, 1, 2, 2, 3]);
  const endpoints = Array.from({ length: count }, () => toEndpoint(dice));
  // Some scenarios are long enough for a pause. Most are short, so that many fit into a minute.
  const spreadMs = dice.pick([SECOND, 10 * SECOND, 10 * MINUTE, 10 * MINUTE, 3 * HOUR]);
  const sessions = Array.from({ length: dice.between(1, dice.chance(0.1) ? 25 : 6) }, () =>
    toSession(dice, spreadMs),
  );
  const lastMs = Math.max(...sessions.map(({ atMs }) => atMs)) + 11 * MINUTE;
  const operations = Array.from({ length: dice.pick([0, 0, 1, 2, 3, 5]) }, () =>
    toOperation(dice, Math.max(1, count), hasLegacy, lastMs),
  ).sort((a, b) => a.atMs - b.atMs);
  const crashes = dice.chance(0.5)
    ? []
    : Array.from({ length: dice.between(1, 3) }, () => toCrash(dice));
  return {
    seed,
    endpoints,
    legacy,
    timeoutAttempts: dice.pick([3, 3, 3, 1, 2, 5]),
    sessions,
    operations,
    crashes,
    isShared: dice.chance(0.4),
    endMs: Math.max(lastMs, operations.at(-1)?.atMs ?? 0) + 26 * HOUR,
  };
}

function toEndpoint(dice: Dice): EndpointPlan {
  return {
    events: dice.chance(0.6) ? KINDS : KINDS.filter(() => dice.chance(0.6)),
    isSigned: dice.chance(0.8),
    isScoped: dice.chance(0.15),
    segments: [toSegments(dice), toSegments(dice)],
  };
}

function toSegments(dice: Dice): readonly Segment[] {
  const segments: Segment[] = [];
  let fromMs = 0;
  for (let left = dice.between(1, 4); left > 0; left -= 1) {
    segments.push({
      fromMs,
      behaviour: toBehaviour(dice),
      ...(dice.chance(0.15) && { exception: toException(dice) }),
    });
    fromMs += dice.pick([
      dice.between(1, 30) * SECOND,
      dice.between(1, 30) * MINUTE,
      dice.between(1, 5) * HOUR,
      30 * HOUR,
    ]);
  }
  // Most receivers are healthy at the end, so that most scenarios are short.
  if (dice.chance(0.7)) {
    segments.push({ fromMs: fromMs % (2 * HOUR), behaviour: ok(dice) });
    segments.sort((a, b) => a.fromMs - b.fromMs);
    if (dice.chance(0.7)) return segments.slice(0, segments.findIndex(isOk) + 1);
  }
  return segments;
}

function isOk({ behaviour, exception }: Segment): boolean {
  return behaviour.kind === 'status' && behaviour.status < 300 && !exception;
}

export function toException(dice: Dice): Exception {
  return { events: toMatch(dice), behaviour: toBehaviour(dice) };
}

export function toMatch(dice: Dice): Match {
  switch (dice.below(3)) {
    case 0:
      return { by: 'kind', kind: dice.pick(KINDS) };
    case 1:
      return { by: dice.pick(['session', 'event'] as const), share: dice.pick([0.5, 0.25, 0.125]) };
    default:
      // An event id starts with a random hex digit.
      return { by: 'body', text: dice.pick(['"eventId":"0', '"eventId":"1', '"age_not_met"']) };
  }
}

export function ok(dice: Dice): Behaviour {
  return { kind: 'status', status: dice.pick([200, 204]), delayMs: dice.pick([0, 20, 900, 9_000]) };
}

export function toBehaviour(dice: Dice): Behaviour {
  const delayMs = dice.pick([0, 5, 300, 4_000, 14_999]);
  switch (dice.below(12)) {
    case 0:
    case 1:
      return ok(dice);
    case 2:
    case 3:
      return { kind: 'status', status: dice.pick([401, 403, 404, 410, 400, 422]), delayMs };
    case 4:
    case 5:
      return { kind: 'status', status: dice.pick([500, 502, 504, 408, 425, 304]), delayMs };
    case 6:
      return {
        kind: 'status',
        status: dice.pick([429, 503]),
        retryAfter: dice.pick(['1', '7', '120', '3600', '9999', '-5', '1.5', 'soon']),
        delayMs,
      };
    case 7:
      return { kind: dice.pick(['hang', 'connect', 'tls', 'dns_hang'] as const) };
    case 8:
      return { kind: dice.pick(['reset_before', 'reset_after'] as const), delayMs };
    case 9:
      return {
        kind: dice.pick(['dns_fail', 'dns_empty', 'dns_mixed', 'dns_private', 'dns_flip'] as const),
      };
    case 10:
      return {
        kind: 'redirect',
        status: dice.pick([301, 302, 307, 308, 303]),
        hops: dice.between(1, 6),
        to: dice.pick(['final', 'final', 'private', 'http', 'nowhere'] as const),
      };
    default:
      return { kind: 'endless', delayMs };
  }
}

export function toSession(dice: Dice, spreadMs: number): SessionPlan {
  return {
    atMs: dice.below(spreadMs) + 1,
    pair: dice.chance(0.3) ? 1 : 0,
    tenant: dice.chance(0.1) ? 1 : 0,
    end: dice.chance(0.25)
      ? null
      : {
          afterMs: dice.pick([1, 400, 30 * SECOND, 9 * MINUTE]),
          scenario: dice.pick([
            'verified',
            'verified',
            'verified_after_id',
            'failed_age_not_met',
            'cancelled',
            'timeout',
          ]),
        },
  };
}

function toOperation(dice: Dice, endpoints: number, hasLegacy: boolean, lastMs: number): Operation {
  const atMs = dice.pick([dice.below(lastMs), dice.below(3 * HOUR), dice.below(26 * HOUR)]);
  const endpoint = dice.below(endpoints);
  const kinds = [
    ...(['disable', 'enable', 'enable', 'delete', 'test', 'resume', 'resume'] as const),
    ...(['redeliver', 'redeliver', 'move', 'secret'] as const),
    ...(hasLegacy ? (['legacy_put', 'legacy_delete', 'legacy_migrate', 'add'] as const) : []),
  ];
  return { kind: dice.pick(kinds), atMs, endpoint };
}

export function toCrash(dice: Dice): Crash {
  const downMs = dice.pick([0, 1, 10 * SECOND, 29_999, 30_001, 20 * MINUTE, 3 * HOUR]);
  const attempt = dice.pick([1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 15, 20, 40, 100]);
  const phase = dice.pick([
    ...(['c0', 'c0_before', 'c5', 'c5_before'] as const),
    ...(['c1', 'c1', 'c2', 'c2', 'c3', 'c3', 'c3', 'c4', 'c4', 'c4_before'] as const),
  ]);
  switch (phase) {
    case 'c0':
    case 'c0_before':
      return { phase, event: dice.between(1, 6), downMs };
    case 'c5':
    case 'c5_before':
      return { phase, pause: 1, downMs };
    default:
      return { phase, attempt, downMs };
  }
}
