import * as v from 'valibot';
import type { KeyControl } from '../../api/keys.ts';
import { createKeyPair, setKeyStatus } from '../../rules/keys.ts';
import { getTenant } from '../../rules/tenants.ts';
import { choice } from '../input/fields.ts';
import { listKeyPairs } from '../lists.ts';
import { toKeyPairResource, toKeyResource } from '../to-wire.ts';
import { op, type OperationsOf } from './operation.ts';
import * as show from './schemas/control.ts';

export const keyOperations = {
  keyPairs: op({
    summary: 'List an account’s keys',
    idOf: 'tenant',
    response: v.array(show.keyPair),
    run: ({ transact }, tenantId) => transact((db) => listKeyPairs(db, tenantId)),
  }),
  createKeyPair: op({
    summary: 'Add a key pair',
    idOf: 'tenant',
    response: show.keyPair,
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
    response: show.key,
    refusals: [409],
    run: ({ transact }, id, { status }) =>
      transact((db) => toKeyResource(setKeyStatus(db, id, status))),
  }),
  revokeKey: op({
    summary: 'Revoke a key',
    idOf: 'key',
    response: show.key,
    run: ({ transact }, id) => transact((db) => toKeyResource(setKeyStatus(db, id, 'revoked'))),
  }),
} satisfies OperationsOf<KeyControl>;
