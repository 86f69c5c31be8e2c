import type { DeliveryResource } from 'ofage/mock';
import type { ReceivedWebhook } from '../shared/shop-api.ts';

/** A webhook in the list of the shop's page. */
export interface WebhookRow {
  readonly key: string;
  readonly event: string;
  readonly sessionId: string;
  /** The time that the row shows, by the service's clock. ISO 8601. */
  readonly at: string;
  readonly result: 'accepted' | 'duplicate' | 'rejected';
}

/** Merges the webhooks that the shop's server accepted and rejected into one list, newest first. */
export function toWebhookRows(
  received: readonly ReceivedWebhook[],
  refused: readonly DeliveryResource[],
): WebhookRow[] {
  const rejectedRows = refused.map(({ id, event, sessionId, attempts, createdAt }) => ({
    key: id,
    event,
    sessionId,
    at: attempts.at(-1)?.startedAt ?? createdAt,
    result: 'rejected' as const,
  }));
  const acceptedRows = received.map(({ receivedAt, happenedAt, event, sessionId, duplicate }) => ({
    key: `${receivedAt} ${event} ${sessionId}`,
    event,
    sessionId,
    at: happenedAt,
    result: duplicate ? ('duplicate' as const) : ('accepted' as const),
  }));
  return [...rejectedRows, ...acceptedRows].toSorted((a, b) => Date.parse(b.at) - Date.parse(a.at));
}
