import type { DeliveryRow } from '../../../../mock-server/store/tables.ts';
import type { DeliveryState } from './durable-rows.ts';
import { type History, HOUR, SECOND } from './history.ts';
import { isFailing, type LaneModel, type Pacing } from './lane-model.ts';
import { matches } from './receivers.ts';
import type { Report } from './report.ts';
import { toVerdict } from './sent-attempts.ts';
import { START_MS } from './world.ts';

/** Checks P3 and P7: waiting events are sent in time. */
export function checkProgress(history: History, report: Report, lane: LaneModel): void {
  const waiting = waitingFor(history, lane);
  checkGaps(history, report, lane, waiting);
  checkFlow(history, report, lane, waiting);
}

type Line = readonly (readonly DeliveryState[])[];

/** Returns the deliveries of the lane. */
function waitingFor(history: History, { owner, url }: LaneModel): Line {
  return [...history.deliveries.values()].filter((states) => {
    const last = states.at(-1)!;
    return last.row.url === url && history.ownerOf(last.row.endpointId, last.commit) === owner;
  });
}

interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

/**
 * Checks P3 in stretches in which events wait, the service runs, and no operator interferes. A change by an
 * operator ends a stretch and starts the next.
 */
function checkGaps(
  history: History,
  report: Report,
  { owner, url, attempts: lane }: LaneModel,
  line: Line,
): void {
  const { trace } = history;
  const stops = [
    ...(history.configs.get(owner) ?? []).map(({ atMs }) => atMs),
    ...history.pauses(owner).map(({ atMs }) => atMs),
    ...lane.flatMap(({ delivery, sent, endMs }) => (delivery ? [] : [sent.atMs, endMs])),
    ...trace.crashes.flatMap(({ atMs, upMs }) => [atMs, upMs]),
  ];
  const starts = lane.map(({ sent }) => sent.atMs);
  const waits = line.flatMap((states) => waitsOf(states, trace.endMs));
  for (const { fromMs, toMs } of join(waits)) {
    const inside = (atMs: number): boolean => atMs > fromMs && atMs < toMs;
    const marks = [...stops.filter(inside), ...starts.filter(inside), toMs].sort((a, b) => a - b);
    let lastMs = fromMs;
    for (const markMs of marks) {
      if (markMs - lastMs > 60 * SECOND) report.saw('P3');
      const gap = { fromMs: lastMs, toMs: markMs };
      if (waits.some((wait) => isTooLong(wait, gap)) && !history.isDownAt(lastMs)) {
        const held = lane
          .filter(
            ({ recorded, retryAfterMs }) =>
              recorded && retryAfterMs > 0 && recorded.atMs <= gap.fromMs + 16 * SECOND,
          )
          .map(({ recorded, retryAfterMs }) => recorded!.atMs + retryAfterMs);
        if (markMs > Math.max(0, ...held) + 6 * SECOND)
          report.fail(
            'P3',
            `${url}: no request between ${history.formatTime(lastMs)} and ${history.formatTime(markMs)}`,
          );
      }
      lastMs = markMs;
    }
  }
}

/** A time in which a delivery is pending, and the longest wait that its policy allows. */
interface Wait extends Span {
  readonly longestMs: number;
}

/**
 * Tells whether a delivery waits too long in a gap without a request. Each delivery is checked by its own
 * policy, for the part of the gap in which it is pending. For example, the request before the gap may
 * deliver a completion while the only waiting event is a timeout event that is due in 20 minutes.
 */
function isTooLong({ fromMs, toMs, longestMs }: Wait, gap: Span): boolean {
  const waitedMs = Math.min(toMs, gap.toMs) - Math.max(fromMs, gap.fromMs);
  // The limit is a request, the longest wait, and the lease of a process that died during the request.
  return waitedMs > 15 * SECOND + longestMs + 30 * SECOND;
}

/**
 * Returns the periods in which a delivery is pending. An attempt of a timeout event that makes the allowed
 * wait longer starts another period.
 */
function waitsOf(states: readonly DeliveryState[], endMs: number): Wait[] {
  const waits: Wait[] = [];
  for (const [at, { row, atMs }] of states.entries()) {
    if (row.status !== 'pending') continue;
    const longestMs = longestWaitMs(row);
    const toMs = states[at + 1]?.atMs ?? endMs;
    const last = waits.at(-1);
    if (last?.toMs === atMs && last.longestMs === longestMs) waits.splice(-1, 1, { ...last, toMs });
    else waits.push({ fromMs: atMs, toMs, longestMs });
  }
  return waits;
}

/**
 * Returns the longest allowed wait. Durable events wait at most ten minutes. The delay of a timeout event
 * doubles, limited only by the number of attempts: with ten of them the last delay is 5 s * 2^8.
 */
function longestWaitMs({ policy, attempts, baseAttempts }: DeliveryRow): number {
  const isTimeout = policy === 'timeout';
  return Math.max(600, isTimeout ? 5 * 2 ** (attempts - baseAttempts) : 0) * SECOND;
}

function join(spans: readonly Span[]): Span[] {
  const joined: Span[] = [];
  for (const span of spans.toSorted((a, b) => a.fromMs - b.fromMs)) {
    const last = joined.at(-1);
    if (last && span.fromMs <= last.toMs)
      joined.splice(-1, 1, { fromMs: last.fromMs, toMs: Math.max(last.toMs, span.toMs) });
    else joined.push(span);
  }
  return joined;
}

/**
 * Checks P7: while the lane is not failing, no delivery that is due waits unless eight requests are in
 * flight. The service needs two milliseconds at most, because the next job of a lane is due a millisecond
 * later.
 */
function checkFlow(history: History, report: Report, lane: LaneModel, line: Line): void {
  const free = freeSpans(history, lane, line);
  for (const states of line) {
    for (const [at, { row, atMs }] of states.entries()) {
      if (row.status !== 'pending' || row.leaseUntilMs !== null) continue;
      const dueMs = Math.max(atMs, row.nextAtMs);
      const endMs = Math.min(states[at + 1]?.atMs ?? history.trace.endMs, row.deadlineAtMs);
      const span = free.find(
        ({ fromMs, toMs }) => Math.min(toMs, endMs) - Math.max(fromMs, dueMs) > 2,
      );
      if (span)
        report.fail(
          'P7',
          `${lane.url}: a delivery that was due at ${history.formatTime(dueMs)} still waits at ${history.formatTime(Math.max(span.fromMs, dueMs) + 2)}, although fewer than eight requests are in flight`,
        );
      const isReleased = lane.steps.some(
        ({ before, after, step }) =>
          isFailing(before) &&
          !isFailing(after) &&
          step.place.atMs >= dueMs &&
          step.place.atMs <= endMs,
      );
      if (isReleased) report.saw('P7');
    }
  }
}

/** Returns the periods in which the lane may start a request, while nothing interferes. */
function freeSpans(
  history: History,
  { owner, attempts, steps }: LaneModel,
  line: Line,
): readonly Span[] {
  const { trace } = history;
  const changes = [
    ...steps.map(({ step, after }) => ({ ...step.place, pacing: after, leased: null })),
    ...line.flatMap((states) =>
      states.map(({ row, ...place }, at) => {
        const was = states[at - 1]?.row.leaseUntilMs != null;
        const leased = Number(row.leaseUntilMs !== null) - Number(was);
        return { ...place, pacing: null, leased };
      }),
    ),
  ].sort((a, b) => a.order - b.order);
  const disturbed: readonly Span[] = [
    ...trace.crashes.map(({ atMs, upMs }) => ({ fromMs: atMs, toMs: upMs + SECOND })),
    ...attempts.flatMap(({ delivery, sent, endMs }) =>
      delivery
        ? []
        : [{ fromMs: sent.atMs, toMs: sent.isOrphan ? sent.atMs + 30 * SECOND : endMs }],
    ),
    ...(history.configs.get(owner) ?? []).map(({ atMs }) => ({ fromMs: atMs, toMs: atMs })),
  ];

  const free: Span[] = [];
  let leased = 0;
  let pacing: Pacing | null = null;
  for (const [at, change] of changes.entries()) {
    leased += change.leased ?? 0;
    pacing = change.pacing ?? pacing;
    const toMs = changes[at + 1]?.atMs ?? trace.endMs;
    const fromMs = Math.max(change.atMs, pacing?.holdMs ?? 0);
    const isOpen = leased < 8 && !(pacing && isFailing(pacing));
    if (!isOpen || toMs - fromMs <= 2 || !isSending(history, owner, change.commit)) continue;
    if (disturbed.some((span) => span.fromMs <= toMs && span.toMs >= fromMs)) continue;
    free.push({ fromMs, toMs });
  }
  return free;
}

function isSending(history: History, owner: string, commit: number): boolean {
  return history.configAt(owner, commit)?.enabled === true && !history.isPausedAt(owner, commit);
}

/** Checks P7: no event expires that waited while its receiver was healthy for more than two hours. */
export function checkNothingMissed(history: History, report: Report): void {
  const { trace } = history;
  for (const states of history.deliveries.values()) {
    for (const [at, { row, atMs }] of states.entries()) {
      if (row.status !== 'undelivered' || row.reason !== 'expired') continue;
      // A migrated webhook writes the row again, long after the event expired.
      const expiredMs = row.undeliveredAtMs ?? atMs;
      const fromMs = history
        .seriesOf(row.id)
        .findLast((one) => one.order < states[at]!.order)!.atMs;
      const [, name = '', address = '0'] = /^https:\/\/(\w+)-(\d)\./.exec(row.url) ?? [];
      const { scenario } = trace;
      const plan = name === 'legacy' ? scenario.legacy : scenario.endpoints[Number(name.slice(1))];
      const segments = plan?.segments[address === '1' ? 1 : 0] ?? [];
      for (const [n, { fromMs: wellFromMs, behaviour, exception }] of segments.entries()) {
        if (toVerdict(behaviour) !== 'ok' || (exception && toVerdict(exception.behaviour) !== 'ok'))
          continue;
        const wellToMs = START_MS + (segments[n + 1]?.fromMs ?? Infinity);
        let beganMs = Math.max(START_MS + wellFromMs, fromMs);
        for (const crash of [...trace.crashes, { atMs: Infinity, upMs: Infinity }]) {
          const endMs = Math.min(wellToMs, expiredMs, crash.atMs);
          if (endMs - beganMs > 2 * HOUR)
            report.fail('P7', `${row.url} was healthy for hours, but an event expired`);
          beganMs = Math.max(beganMs, crash.upMs);
        }
      }
    }
  }
}

/** Checks P11: an event that the receiver accepts arrives, although it refuses others. */
export function checkArrival(
  { trace, deliveries, sessions, events }: History,
  report: Report,
): void {
  if (!trace.scenario.expectsArrival) return;
  report.saw('P11');
  const refused = (trace.scenario.endpoints[0]?.segments[0] ?? []).flatMap(
    ({ exception }) => exception?.events ?? [],
  );
  for (const states of deliveries.values()) {
    const { row } = states.at(-1)!;
    const event = events.get(row.eventId)!;
    if (event.kind === 'session.started' || !sessions.has(event.sessionId)) continue;
    const bodyText = `{"event":"${event.kind}","data":{"sessionId":"${event.sessionId}"}}`;
    if (refused.some((match) => matches(match, bodyText))) continue;
    if (row.status !== 'delivered')
      report.fail(
        'P11',
        `${row.url}: the accepted event ${event.id} is ${row.status} ${row.reason}`,
      );
  }
}
