import * as v from 'valibot';
import type { Explanation } from '../../api/webhooks.ts';
import { isForLegacyWebhook } from '../../rules/endpoints.ts';
import {
  explainSignature,
  type KnownSecret,
  readSignature,
  type SentWebhook,
} from '../../send/explain-signature.ts';
import type { Db } from '../../store/db.ts';
import { optionalText } from '../input/fields.ts';
import type { Context } from './context.ts';

export const explainInput = v.object({
  // An empty body is allowed, because it is a frequent mistake.
  body: v.string('body must be a string'),
  headers: v.nullish(
    v.record(
      v.string(),
      v.string('each value in headers must be a string'),
      'headers must be an object',
    ),
  ),
  signature: optionalText('signature'),
  secret: optionalText('secret'),
  tenantId: optionalText('tenantId'),
});

/**
 * Compares a received webhook with the webhooks that the service has sent and the secrets that it knows.
 */
export async function explainReceived(
  { transact }: Pick<Context, 'transact'>,
  { body, headers, signature, secret, tenantId }: v.InferOutput<typeof explainInput>,
): Promise<Explanation> {
  const received = {
    body,
    headers: { ...headers, ...(signature != null && { 'x-ofage-signature': signature }) },
    secret: secret ?? undefined,
  };
  const isWanted = (id: string): boolean => tenantId == null || id === tenantId;
  const reading = readSignature(received.headers);
  const known = await transact((db) => ({
    secrets: listSecrets(db, isWanted),
    sent: findSent(db, isWanted, reading.signature),
  }));
  return explainSignature(received, known);
}

type IsWanted = (tenantId: string) => boolean;

function listSecrets(db: Db, isWanted: IsWanted): KnownSecret[] {
  return [...db.all('endpoints')]
    .filter(({ tenantId }) => isWanted(tenantId))
    .map((endpoint) => ({
      endpointId: nameOf({ endpointId: endpoint.id, tenantId: endpoint.tenantId }),
      label: endpoint.url,
      secret: endpoint.secret,
    }));
}

/** Finds the stored webhook that was sent with this signature. Test events are not stored. */
function findSent(db: Db, isWanted: IsWanted, signature: string | null): SentWebhook | undefined {
  if (signature === null) return undefined;
  for (const attempt of db.all('attempts')) {
    if (attempt.signature !== signature) continue;
    const delivery = db.get('deliveries', attempt.deliveryId);
    const body = delivery && db.get('events', delivery.eventId)?.body;
    if (!delivery || body == null || !isWanted(delivery.tenantId)) continue;
    return { endpointId: nameOf(delivery), label: delivery.url, body };
  }
  return undefined;
}

/** Names the endpoint. A legacy webhook's id is the account's, which would not help a reader. */
function nameOf(sent: { endpointId: string; tenantId: string }): string {
  return isForLegacyWebhook(sent) ? 'legacy' : sent.endpointId;
}
