import * as v from 'valibot';
import type { KeyControl, KeyPairResource, KeyResource } from '../../api/keys.ts';
import { createKeyPair, type KeyPair, listPairs, setKeyStatus } from '../../rules/keys.ts';
import { getTenant } from '../../rules/tenants.ts';
import { toIso } from '../../store/instant.ts';
import type { KeyRow } from '../../store/rows.ts';
import { choice } from '../schemas/fields.ts';
import { id, instant, text } from '../schemas/values.ts';
import { op, type OperationsOf } from './operation.ts';

export const keyResource = v.strictObject({
  id,
  tenantId: id,
  pairId: id,
  kind: v.picklist(['publishable', 'secret']),
  value: text,
  status: v.picklist(['active', 'paused', 'revoked']),
  createdAt: instant,
});

export const keyPairResource = v.strictObject({
  pairId: id,
  publishable: keyResource,
  secret: keyResource,
});

export const keyOperations = {
  keyPairs: op({
    summary: 'List an account’s keys',
    idOf: 'tenant',
    response: v.array(keyPairResource),
    run: ({ transact }, tenantId) =>
      transact((db) => listPairs(db, getTenant(db, tenantId).id).map(toKeyPairResource)),
  }),
  createKeyPair: op({
    summary: 'Add a key pair',
    idOf: 'tenant',
    response: keyPairResource,
    status: 201,
    run: ({ transact }, tenantId) =>
      transact((db, moment) =>
        toKeyPairResource(createKeyPair(db, getTenant(db, tenantId).id, moment)),
      ),
  }),
  setKeyStatus: op({
    summary: 'Pause, resume or revoke a key',
    idOf: 'key',
    input: v.object({ status: choice('status', ['active', 'paused', 'revoked']) }),
    example: { status: 'paused' },
    response: keyResource,
    refusals: [409],
    run: ({ transact }, id, { status }) =>
      transact((db) => toKeyResource(setKeyStatus(db, id, status))),
  }),
  revokeKey: op({
    summary: 'Revoke a key',
    idOf: 'key',
    response: keyResource,
    run: ({ transact }, id) => transact((db) => toKeyResource(setKeyStatus(db, id, 'revoked'))),
  }),
} satisfies OperationsOf<KeyControl>;

export function toKeyResource({ createdAtMs, ...key }: KeyRow): KeyResource {
  return { ...key, createdAt: toIso(createdAtMs) };
}

function toKeyPairResource({ pairId, publishable, secret }: KeyPair): KeyPairResource {
  return { pairId, publishable: toKeyResource(publishable), secret: toKeyResource(secret) };
}
