import * as v from 'valibot';
import type { Db } from '../core/db.ts';
import type { AttemptRow } from '../core/tables.ts';
import {
  explainSignature,
  type Explanation,
  type KnownSecret,
  type SentWebhook,
  type SignatureKnowledge,
} from '../delivery/explain-signature.ts';
import { readSignature } from '../delivery/signature-header.ts';
import { optionalText } from '../input/fields.ts';
import { isForLegacyWebhook } from '../webhooks/legacy-webhook.ts';
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
  { transact, tester }: Pick<Context, 'transact' | 'tester'>,
  { body, headers, signature, secret, tenantId }: v.InferOutput<typeof explainInput>,
): Promise<Explanation> {
  const received = {
    body,
    headers: { ...headers, ...(signature != null && { 'x-ofage-signature': signature }) },
    secret: secret ?? undefined,
  };
  const reading = readSignature(received.headers);
  const known = await transact((db): SignatureKnowledge => {
    const isWanted = (id: string): boolean => tenantId == null || id === tenantId;
    const tests = tester.sent
      .filter((test) => isWanted(test.tenantId))
      .map((test) => ({ ...test, endpointId: nameOf(test) }));
    return {
      secrets: listSecrets(db, isWanted),
      bodies: [...listBodies(db, isWanted), ...tests.map((test) => test.body)],
      sent: [...listSent(db, isWanted, reading.signature), ...tests],
    };
  });
  return explainSignature(received, known);
}

type IsWanted = (tenantId: string) => boolean;

function listSecrets(db: Db, isWanted: IsWanted): KnownSecret[] {
  return [...db.all('endpoints')]
    .filter(({ tenantId }) => isWanted(tenantId))
    .map(({ id: endpointId, tenantId, url: label, secret }) => ({
      endpointId: nameOf({ endpointId, tenantId }),
      label,
      secret,
    }));
}

/** Lists the bodies of the newest 1,000 events that have one. */
function listBodies(db: Db, isWanted: IsWanted): string[] {
  const bodies: string[] = [];
  for (const { body, tenantId } of db.all('events')) {
    if (body !== null && isWanted(tenantId)) bodies.push(body);
  }
  return bodies.slice(-1_000);
}

/**
 * Lists the webhooks that were sent with this signature, and for each secret of each endpoint the last
 * webhook that it signed.
 */
function listSent(db: Db, isWanted: IsWanted, signature: string | null): SentWebhook[] {
  const matches: AttemptRow[] = [];
  const lastOf = new Map<string, AttemptRow>();
  for (const attempt of db.all('attempts')) {
    if (attempt.signature == null) continue;
    if (attempt.signature === signature) matches.push(attempt);
    const delivery = db.get('deliveries', attempt.deliveryId);
    if (delivery) lastOf.set(`${delivery.endpointId} ${attempt.signedWithSecretVersion}`, attempt);
  }
  return [...matches, ...lastOf.values()].flatMap(({ deliveryId, signature: sent }) => {
    const delivery = db.get('deliveries', deliveryId);
    const body = delivery && db.get('events', delivery.eventId)?.body;
    if (!delivery || body == null || sent == null || !isWanted(delivery.tenantId)) return [];
    return { endpointId: nameOf(delivery), label: delivery.url, body, signature: sent };
  });
}

/** Names the endpoint. A legacy webhook's id is the account's, which would not help a reader. */
function nameOf(sent: { endpointId: string; tenantId: string }): string {
  return isForLegacyWebhook(sent) ? 'legacy' : sent.endpointId;
}
