import type { DeliveryResource } from 'ofage-mock';
import type { KeptWebhook } from '../../demo-backend/lab-plan.ts';

type Sent = Pick<DeliveryResource, 'eventId' | 'event' | 'sessionId'> & {
  readonly attempts: readonly Pick<DeliveryResource['attempts'][number], 'startedAt'>[];
};
type Received = Pick<KeptWebhook, 'n' | 'eventId' | 'event' | 'sessionId'>;

/**
 * Returns the time of each received request on the service's clock, keyed by the number of the request. The
 * receiver knows only the computer's clock, but the requests of an event arrive in the order of its
 * attempts.
 * @param requests Newest first
 */
export function toRequestTimes(
  requests: readonly Received[],
  deliveries: readonly Sent[],
): ReadonlyMap<number, string> {
  const times = new Map<number, string>();
  for (const { eventId, event, sessionId, attempts } of deliveries) {
    const received = requests.filter((request) =>
      request.eventId === null
        ? request.event === event && request.sessionId === sessionId
        : request.eventId === eventId,
    );
    // Counts from the newest request, because the receiver forgets old ones.
    for (const [index, { n }] of received.entries()) {
      const attempt = attempts[attempts.length - 1 - index];
      if (attempt) times.set(n, attempt.startedAt);
    }
  }
  return times;
}
