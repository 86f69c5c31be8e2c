import type { Dice } from './dice.ts';
import {
  KINDS,
  ok,
  SECOND,
  toCrash,
  type Behaviour,
  type Crash,
  type EndpointPlan,
  type Operation,
  type Segment,
  type SessionPlan,
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
