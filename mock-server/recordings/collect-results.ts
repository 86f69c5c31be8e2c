import type {
  RecordedDelivery,
  RecordedEvent,
  RecordedSession,
  ReceiverAnswer,
} from '../control/recording.ts';
import type {
  AttemptResource,
  DeliveryResource,
  EventResource,
  SessionResource,
} from '../control/resources.ts';

/** The sessions of a run with their events and deliveries. */
export interface RunOutcome {
  /** Sessions in order of creation. */
  readonly sessions: readonly SessionResource[];
  /** Events, oldest first. */
  readonly events: readonly EventResource[];
  readonly deliveries: readonly DeliveryResource[];
}

export interface Results {
  readonly sessions: RecordedSession[];
  readonly events: RecordedEvent[];
}

/** Maps ids and addresses to the names that a run uses for them. */
export interface Naming {
  nameOf(id: string): string | undefined;
  addressOf(url: string): string;
}

/** Returns the results of a run in a form that can be compared with another run. */
export function collectResults(
  { sessions, events, deliveries }: RunOutcome,
  { nameOf, addressOf }: Naming,
  startMs: number,
): Results {
  const toDelivery = (delivery: DeliveryResource): RecordedDelivery => ({
    endpoint: delivery.endpointId === null ? null : (nameOf(delivery.endpointId) ?? 'unknown'),
    url: addressOf(delivery.url),
    status: isInFlight(delivery) ? null : delivery.status,
    answers: delivery.attempts.filter(hasRecordedResult).map(toAnswer),
  });
  return {
    sessions: sessions.map(({ id, status, reason, validatedAt, retries }) => ({
      session: nameOf(id) ?? 'unknown',
      status,
      reason,
      validated: validatedAt !== null,
      retries,
    })),
    events: events.map(({ id, sessionId, event, createdAt, body }) => ({
      session: nameOf(sessionId) ?? 'unknown',
      event,
      atMs: Math.max(0, Date.parse(createdAt) - startMs),
      reason: readReason(body),
      deliveries: deliveries.filter(({ eventId }) => eventId === id).map(toDelivery),
    })),
  };
}

function isInFlight({ attempts }: DeliveryResource): boolean {
  return attempts.some(({ finishedAt }) => finishedAt === null);
}

/**
 * Tells whether an attempt has a result that a replay must play back. A replay injects the same faults again,
 * but `slow` without its delay, so that an attempt that exceeded its time limit is played back too.
 */
function hasRecordedResult({ fault, finishedAt }: AttemptResource): boolean {
  return finishedAt !== null && (fault === null || fault === 'slow' || fault === 'duplicate');
}

function toAnswer({ httpStatus, error, retryAfterMs, fault }: AttemptResource): ReceiverAnswer {
  // The receiver accepted the request, and the fault dropped its response.
  if (fault === 'duplicate' && error === 'reset') return { status: 200, error: null };
  return { status: httpStatus, error, ...(retryAfterMs !== null && { retryAfterMs }) };
}

function readReason(body: string | null): string | null {
  const { data }: { data?: unknown } = Object(JSON.parse(body ?? 'null'));
  const { reason }: { reason?: unknown } = Object(data);
  return typeof reason === 'string' ? reason : null;
}
