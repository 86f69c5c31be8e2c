import * as v from 'valibot';
import type { ClockOperations, ClockReading } from '../../api/clock.ts';
import { LAST_INSTANT_MS, toIso, toIsoOrNull } from '../../store/instant.ts';
import type { ClockControl, ClockState } from '../../store/scheduler.ts';
import { requiredInstant } from '../schemas/fields.ts';
import { flag, instant, instantOrNull } from '../schemas/values.ts';
import { type Context, op, type OperationsOf } from './operation.ts';

export const clockReading = v.strictObject({
  now: instant,
  frozen: flag,
  offsetMs: v.pipe(v.number(), v.integer()),
  nextDue: instantOrNull,
});

export const clockOperations = {
  read: op({
    summary: 'Read the clock',
    response: clockReading,
    run: (context) => readAfter(context, (clock) => clock.read()),
  }),
  freeze: op({
    summary: 'Freeze the clock',
    response: clockReading,
    run: (context) => readAfter(context, (clock) => clock.freeze()),
  }),
  resume: op({
    summary: 'Resume the clock',
    response: clockReading,
    run: (context) => readAfter(context, (clock) => clock.resume()),
  }),
  next: op({
    summary: 'Advance the clock to the next due job and run it',
    response: clockReading,
    run: (context) => readAfter(context, (clock) => clock.next()),
  }),
  advance: op({
    summary: 'Advance the clock and run everything that becomes due',
    input: v.object({
      ms: v.pipe(
        v.number('ms must be an integer number'),
        v.integer('ms must be an integer number'),
        v.minValue(0, 'ms must not be less than 0'),
        v.maxValue(LAST_INSTANT_MS, `ms must not be greater than ${LAST_INSTANT_MS}`),
      ),
    }),
    example: { ms: 600_000 },
    response: clockReading,
    run: (context, { ms }) => readAfter(context, (clock) => clock.advance(ms)),
  }),
  set: op({
    summary: 'Advance the clock to an instant and run everything that becomes due',
    input: v.object({ now: requiredInstant('now') }),
    example: { now: '2099-01-01T00:00:00Z' },
    response: clockReading,
    run: (context, { now }) => readAfter(context, (clock) => clock.set(Date.parse(now))),
  }),
} satisfies OperationsOf<ClockOperations>;

/** Reads or changes the clock, and returns its state. */
export async function readAfter(
  { useClock }: Context,
  use: (clock: ClockControl) => Promise<ClockState>,
): Promise<ClockReading> {
  return toClockReading(await useClock(use));
}

export function toClockReading(state: ClockState): ClockReading {
  const { nowMs, frozen, offsetMs, nextDueMs } = state;
  return { now: toIso(nowMs), frozen, offsetMs, nextDue: toIsoOrNull(nextDueMs) };
}
