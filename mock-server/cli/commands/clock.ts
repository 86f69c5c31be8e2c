import type { ClockReading, ServiceClock } from '../../api/clock.ts';
import { nearest } from '../../api/nearest.ts';
import { type Command, requireArguments, type Run } from '../command.ts';
import type { Printer } from '../printer.ts';
import { formatPreciseTime } from '../../words/times.ts';
import { parseDuration, readInstant, toDuration } from '../times.ts';

export const clock: Command = {
  name: 'clock',
  takes: '[freeze | resume | next | advance LENGTH | set INSTANT]',
  summary: "show or change the mock's time",
  action: 'use the clock',
  details: `Shows the time if no action is given. freeze stops the clock, resume restarts it.

Time only moves forward. A move runs everything that becomes due, such as the end
of a session or a retry, and waits for its effects. next moves to the next
due job.

LENGTH is a duration such as 500ms, 90s, 10m, 24h or 1h30m. INSTANT is a date, or a date
and time with its zone, such as 2026-01-31T12:00:00Z.`,
  read([move, ...rest]) {
    if (move === undefined) return useClock((time) => time.read());
    const read = Object.hasOwn(MOVES, move) ? MOVES[move] : undefined;
    if (read) return read(rest);
    const meant = nearest(move, Object.keys(MOVES));
    const hint = meant ? `did you mean ${meant}?` : `supported: ${Object.keys(MOVES).join(', ')}`;
    throw new RangeError(`Unknown clock action "${move}"; ${hint}`);
  },
};

const MOVES: Readonly<Record<string, (words: readonly string[]) => Run>> = {
  freeze: (words) => moveBy('freeze', words),
  resume: (words) => moveBy('resume', words),
  next: (words) => moveBy('next', words),
  advance(words) {
    const [length] = requireArguments('clock advance', ['LENGTH'], words);
    const ms = parseDuration(length);
    return useClock((time) => time.advance(ms));
  },
  set(words) {
    const [instant] = requireArguments('clock set', ['INSTANT'], words);
    const to = new Date(readInstant(instant));
    return useClock((time) => time.set(to));
  },
};

function moveBy(move: 'freeze' | 'resume' | 'next', words: readonly string[]): Run {
  requireArguments(`clock ${move}`, [], words);
  return useClock((time) => time[move]());
}

function useClock(use: (time: ServiceClock) => Promise<ClockReading>): Run {
  return async (mock, print) => show(print, await use(mock.clock));
}

function show(print: Printer, reading: ClockReading): void {
  const { now, frozen, nextDue } = reading;
  print.result(reading, [
    ['Now', `${formatPreciseTime(now)} (${frozen ? 'frozen' : 'running'})`],
    ['Next due', nextDue && `${formatPreciseTime(nextDue)} (${toWait(now, nextDue)})`],
  ]);
}

function toWait(now: string, due: string): string {
  const ms = Date.parse(due) - Date.parse(now);
  return ms > 0 ? `in ${toDuration(ms)}` : 'now';
}
