import * as v from 'valibot';
import type { Db } from '../core/db.ts';
import {
  explainSignature,
  type Explanation,
  type KnownSecret,
} from '../delivery/explain-signature.ts';
import { optionalText } from '../rules/fields.ts';
import type { Context } from './context.ts';

export const explainInput = v.object({
  // An empty body is a body, and a frequent fault.
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

/** Compares a webhook as it was received with the secrets and bodies that the service knows. */
export async function explainReceived(
  transact: Context['transact'],
  { body, headers, signature, secret, tenantId }: v.InferOutput<typeof explainInput>,
): Promise<Explanation> {
  const known = await transact((db) => ({
    secrets: listSecrets(db, tenantId ?? undefined),
    bodies: listBodies(db, tenantId ?? undefined),
  }));
  const received = {
    body,
    headers: { ...headers, ...(signature != null && { 'x-ofage-signature': signature }) },
    secret: secret ?? undefined,
  };
  return explainSignature(received, known.secrets, known.bodies);
}

function listSecrets(db: Db, tenantId: string | undefined): KnownSecret[] {
  const isWanted = (id: string): boolean => tenantId === undefined || id === tenantId;
  const endpoints = [...db.all('endpoints')].filter((endpoint) => isWanted(endpoint.tenantId));
  const legacy = [...db.all('legacyWebhooks')].filter(({ id }) => isWanted(id));
  return [
    ...endpoints.map(({ id, url, secret }) => ({ endpointId: id, label: url, secret })),
    ...legacy.map(({ url, secret }) => ({ endpointId: 'legacy', label: url, secret })),
  ].flatMap(({ secret, ...rest }) => (secret === null ? [] : [{ ...rest, secret }]));
}

/** The newest texts that were sent. */
function listBodies(db: Db, tenantId: string | undefined): string[] {
  const bodies: string[] = [];
  for (const event of db.all('events')) {
    if (event.body !== null && (tenantId === undefined || event.tenantId === tenantId))
      bodies.push(event.body);
  }
  return bodies.slice(-1_000);
}
