import type { AttemptResource, DeliveryResource } from 'ofage-mock';
import type { ReceivedWebhook } from '../shop/api.ts';
import { isRefused } from './tasks.ts';

/** A webhook in the list of the shop's page. */
export interface WebhookRow {
  readonly key: string;
  readonly event: string;
  readonly sessionId: string;
  /** The time at which the shop's server received it, by the service's clock. ISO 8601. */
  readonly at: string;
  /** The time of the event, by the service's clock. ISO 8601. */
  readonly happenedAt: string;
  /** True if the shop's server received it noticeably later than it happened. */
  readonly isLate: boolean;
  readonly result: 'accepted' | 'redelivered' | 'duplicate' | 'rejected';
}

/** Webhooks that succeed at the first attempt arrive sooner than this. */
const LATE_MS = 1_000;

/**
 * Merges the webhooks that the shop's server accepted and those that it rejected into one list, newest
 * first.
 * @param received The accepted webhooks, newest first. Their `receivedAt` is the time of this computer, so
 *   the time of the row comes from the attempt that delivered the webhook.
 * @param deliveries The deliveries to the shop's server
 */
export function toWebhookRows(
  received: readonly ReceivedWebhook[],
  deliveries: readonly DeliveryResource[],
): WebhookRow[] {
  const rejectedRows = deliveries.filter(isRefused).map((delivery): WebhookRow => {
    const { id, event, sessionId, attempts, createdAt } = delivery;
    const at = attempts.at(-1)?.startedAt ?? createdAt;
    const times = toTimes(at, createdAt);
    return { key: id, event, sessionId, ...times, result: 'rejected' };
  });
  const acceptedRows = received.map((webhook, index): WebhookRow => {
    const { event, sessionId, happenedAt, receivedAt, duplicate } = webhook;
    // Not every event has an id, but a session has each kind of event only once.
    const isSame = (other: Pick<WebhookRow, 'event' | 'sessionId'>): boolean =>
      other.event === event && other.sessionId === sessionId;
    const delivery = deliveries.find(isSame);
    const newer = received.slice(0, index).filter(isSame).length;
    const copies = received.filter(isSame).length;
    const attempt = delivery && findArrived(delivery, copies).at(-1 - newer);
    const isRedelivered = delivery !== undefined && delivery.redeliveries > 0;
    const resultOfNew = isRedelivered ? 'redelivered' : 'accepted';
    return {
      key: `${receivedAt} ${event} ${sessionId}`,
      event,
      sessionId,
      ...toTimes(attempt?.startedAt ?? happenedAt, happenedAt),
      result: duplicate ? 'duplicate' : resultOfNew,
    };
  });
  return [...rejectedRows, ...acceptedRows].toSorted((a, b) => Date.parse(b.at) - Date.parse(a.at));
}

function toTimes(at: string, happenedAt: string) {
  return { at, happenedAt, isLate: Date.parse(at) - Date.parse(happenedAt) >= LATE_MS };
}

/**
 * Returns the attempts that brought the copies of an event, oldest first: those that the shop's server accepted
 * and, if they are too few, the newest of those without a response.
 */
function findArrived({ attempts }: DeliveryResource, copies: number): readonly AttemptResource[] {
  const accepted = attempts.filter(
    ({ httpStatus }) => httpStatus !== null && httpStatus >= 200 && httpStatus < 300,
  );
  const unanswered = attempts.filter(({ httpStatus }) => httpStatus === null);
  const missing = Math.max(0, copies - accepted.length);
  const arrived = [...accepted, ...unanswered.toReversed().slice(0, missing)];
  return attempts.filter((attempt) => arrived.includes(attempt));
}
