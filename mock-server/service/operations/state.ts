import * as v from 'valibot';
import type { StateControl } from '../../api/state.ts';
import { choice } from '../schemas/fields.ts';
import { count, flag, id, instant, text, textOrNull } from '../schemas/values.ts';
import { restoreSnapshot, takeSnapshot, toSnapshotWithoutSecrets } from '../snapshot.ts';
import { op, type OperationsOf } from './operation.ts';

const demoResource = v.strictObject({
  tenantId: id,
  publishableKey: text,
  secretKey: text,
  webhookSecret: textOrNull,
});

export const snapshotBody = v.strictObject({
  format: v.literal('ofage-mock-snapshot'),
  version: count,
  takenAt: instant,
  frozen: flag,
  secrets: v.exactOptional(v.literal('omitted')),
  tables: v.record(text, v.array(v.looseObject({ id }))),
});

/**
 * Maximum size of a snapshot, large enough for 60,000 sessions. With one endpoint, a session and its events
 * take about 4 kB.
 */
const MAX_SNAPSHOT_BYTES = 268_435_456;

export const stateOperations = {
  reset: op({
    summary: 'Reset the state to the first accounts, with the same keys and secrets',
    response: demoResource,
    run: ({ reset }) => reset(),
  }),
  snapshot: op({
    summary: 'Save a snapshot of the state',
    input: v.object({ secrets: v.optional(choice('secrets', ['keep', 'omit'])) }),
    response: snapshotBody,
    async run({ flushRequests, transact }, { secrets }) {
      await flushRequests();
      const snapshot = await transact((db, { nowMs }) => takeSnapshot(db, nowMs));
      return secrets === 'omit' ? toSnapshotWithoutSecrets(snapshot) : snapshot;
    },
  }),
  loadSnapshot: op({
    summary: 'Load a snapshot of the state',
    uncheckedBody: snapshotBody,
    maxBodyBytes: MAX_SNAPSHOT_BYTES,
    response: null,
    refusals: [413],
    async run({ flushRequests, transact, realNow, findDemo, publishReload }, snapshot) {
      await flushRequests();
      await transact((db, { random }) =>
        restoreSnapshot(db, snapshot, { realNowMs: realNow(), random, findDemo }),
      );
      publishReload();
    },
  }),
} satisfies OperationsOf<StateControl>;
