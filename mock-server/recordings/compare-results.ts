import type {
  RecordedDelivery,
  RecordedEvent,
  RecordedSession,
  ReplayedEvent,
} from '../control/recording.ts';
import type { Results } from './collect-results.ts';

export interface Comparison {
  readonly differences: string[];
  readonly events: ReplayedEvent[];
}

/**
 * Accepted difference in time. Timers fire a little late while recording, but exactly on time in a replay.
 */
const TOLERANCE_MS = 1_000;

/** Compares the sessions, events, order of events and deliveries of a replay with the recording. */
export function compareResults(recorded: Results, replayed: Results): Comparison {
  const pairs = pairEvents(recorded.events, replayed.events);
  const events = pairs.map(({ before, after }): ReplayedEvent => {
    const { session, event, atMs } = before ?? after;
    return { session, event, atMs, differences: findDifferences(before, after) };
  });
  const ofEvents = events.flatMap(({ session, event, differences }) =>
    differences.map((difference) => `${session} ${event}: ${difference}`),
  );
  const sessions = recorded.sessions.flatMap((session) =>
    compareSession(
      session,
      replayed.sessions.find((one) => one.session === session.session),
    ),
  );
  return { events, differences: [...ofEvents, ...findSwap(pairs, replayed.events), ...sessions] };
}

/** An event that occurred in the recording, in the replay, or in both. */
type Pair =
  | { readonly before: RecordedEvent; readonly after: RecordedEvent }
  | { readonly before: RecordedEvent; readonly after: null }
  | { readonly before: null; readonly after: RecordedEvent };

function pairEvents(
  recorded: readonly RecordedEvent[],
  replayed: readonly RecordedEvent[],
): Pair[] {
  const left = [...replayed];
  const known = recorded.map((before): Pair => {
    const at = left.findIndex(
      ({ session, event }) => session === before.session && event === before.event,
    );
    const [after] = at < 0 ? [] : left.splice(at, 1);
    return after ? { before, after } : { before, after: null };
  });
  return [...known, ...left.map((after): Pair => ({ before: null, after }))];
}

function findDifferences(before: RecordedEvent | null, after: RecordedEvent | null): string[] {
  if (!after) return ['did not happen again'];
  if (!before) return ['was not recorded'];
  const lateMs = after.atMs - before.atMs;
  return [
    ...(Math.abs(lateMs) > TOLERANCE_MS
      ? [`${Math.abs(lateMs)} ms ${lateMs > 0 ? 'later' : 'earlier'} than recorded`]
      : []),
    ...(after.reason === before.reason
      ? []
      : [`the reason is ${String(after.reason)} instead of ${String(before.reason)}`]),
    ...before.deliveries.flatMap((delivery) => compareDelivery(delivery, after)),
    ...after.deliveries
      .filter((delivery) => !findSame(before, delivery))
      .map(({ endpoint }) => `delivery to ${toLabel(endpoint)} was not recorded`),
  ];
}

function compareDelivery(before: RecordedDelivery, event: RecordedEvent): string[] {
  const after = findSame(event, before);
  const to = `delivery to ${toLabel(before.endpoint)}`;
  if (!after) return [`${to} did not happen again`];
  // The attempt was in flight when the recording ended, so its result is unknown.
  if (before.status === null || after.status === before.status) return [];
  return [`${to} is ${after.status ?? 'in progress'} instead of ${before.status}`];
}

function findSame(
  event: RecordedEvent,
  { endpoint, url }: RecordedDelivery,
): RecordedDelivery | undefined {
  return event.deliveries.find((one) => one.endpoint === endpoint && one.url === url);
}

function toLabel(endpoint: string | null): string {
  return endpoint ?? 'the legacy webhook';
}

/**
 * Finds the first event that the replay puts after the next event of the recording. Only events with the
 * same recorded time are compared, because time runs during a recording, and events close together may then
 * swap.
 */
function findSwap(pairs: readonly Pair[], replayed: readonly RecordedEvent[]): string[] {
  const both = pairs.flatMap(({ before, after }) => (before && after ? [{ before, after }] : []));
  const swapped = both.find(({ before, after }, index) => {
    const next = both[index + 1];
    if (!next || next.before.atMs > before.atMs) return false;
    return replayed.indexOf(next.after) < replayed.indexOf(after);
  });
  if (!swapped) return [];
  const { session, event } = swapped.before;
  return [`${session} ${event}: happened in a different order than recorded`];
}

function compareSession(before: RecordedSession, after: RecordedSession | undefined): string[] {
  if (!after) return [`${before.session}: was not created again`];
  const [is, was] = [toState(after), toState(before)];
  return is === was ? [] : [`${before.session}: is ${is} instead of ${was}`];
}

function toState({ status, reason, validated, retries }: RecordedSession): string {
  return [
    reason === null ? status : `${status} (${reason})`,
    ...(retries > 0 ? [`after ${retries} ${retries === 1 ? 'retry' : 'retries'}`] : []),
    ...(validated ? ['and validated'] : []),
  ].join(' ');
}
