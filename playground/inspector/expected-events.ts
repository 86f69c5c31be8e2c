import type { DeliveryResource, EventResource } from 'ofage/mock';
import { toDuration } from '../shared/duration.ts';
import type { ExpectedEvent } from './scenario-file.ts';

export interface RunResult {
  /** A session's name in the file, by its id. */
  readonly names: ReadonlyMap<string, string>;
  readonly events: readonly EventResource[];
  readonly deliveries: readonly DeliveryResource[];
  readonly startMs: number;
}

/** What a run led to, in the form in which a file keeps it: by time, then by session. */
export function toExpectedEvents({
  names,
  events,
  deliveries,
  startMs,
}: RunResult): ExpectedEvent[] {
  const found = events.flatMap((event): ExpectedEvent[] => {
    const session = names.get(event.sessionId);
    if (session === undefined) return [];
    // With several endpoints the first one speaks for all.
    const delivery = deliveries.find(({ eventId }) => eventId === event.id);
    return [
      {
        session,
        event: event.event,
        atMs: Math.max(0, Date.parse(event.createdAt) - startMs),
        reason: toReason(event.body),
        delivery: delivery?.status ?? null,
      },
    ];
  });
  return found.sort((a, b) => a.atMs - b.atMs || compareTexts(a.session, b.session));
}

export interface ComparedEvent {
  readonly session: string;
  readonly event: ExpectedEvent['event'];
  readonly recorded: ExpectedEvent | null;
  readonly replayed: ExpectedEvent | null;
  /** Sentences; none when the two are the same. */
  readonly differences: readonly string[];
}

/** A recorded deadline fell due a little late, since time ran; a replay's is exact. */
const TOLERANCE_MS = 1_000;

/** Holds two runs against each other, event by event. */
export function compareEvents(
  recorded: readonly ExpectedEvent[],
  replayed: readonly ExpectedEvent[],
): ComparedEvent[] {
  const left = [...replayed];
  const compared = recorded.map((expected): ComparedEvent => {
    const { session, event } = expected;
    const at = left.findIndex((one) => one.session === session && one.event === event);
    const [actual = null] = at < 0 ? [] : left.splice(at, 1);
    return {
      session,
      event,
      recorded: expected,
      replayed: actual,
      differences: actual ? findDifferences(expected, actual) : ['did not happen again'],
    };
  });
  const extra = left.map((actual): ComparedEvent => ({
    session: actual.session,
    event: actual.event,
    recorded: null,
    replayed: actual,
    differences: ['did not happen before'],
  }));
  return [...compared, ...extra];
}

function findDifferences(expected: ExpectedEvent, actual: ExpectedEvent): string[] {
  const lateMs = actual.atMs - expected.atMs;
  const differences: string[] = [];
  if (Math.abs(lateMs) > TOLERANCE_MS) {
    const by = toDuration(Math.abs(lateMs));
    differences.push(`${by} ${lateMs > 0 ? 'later' : 'earlier'} than before`);
  }
  if (actual.reason !== expected.reason) {
    differences.push(`reason ${String(actual.reason)}, before ${String(expected.reason)}`);
  }
  if (actual.delivery !== expected.delivery) {
    const now = actual.delivery ?? 'not sent';
    differences.push(`delivery ${now}, before ${expected.delivery ?? 'not sent'}`);
  }
  return differences;
}

function toReason(body: string | null): string | null {
  if (body === null) return null;
  try {
    const { data }: { data?: unknown } = Object(JSON.parse(body));
    const { reason }: { reason?: unknown } = Object(data);
    return typeof reason === 'string' ? reason : null;
  } catch {
    return null;
  }
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
