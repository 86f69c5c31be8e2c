import * as v from 'valibot';
import { SCENARIOS } from '../../api/scenarios.ts';
import type { StateControl } from '../../api/state.ts';
import { choice } from '../input/fields.ts';
import { restoreSnapshot, takeSnapshot, toSnapshotWithoutSecrets } from '../snapshot.ts';
import { toFaultResource, toTenantResource } from '../to-wire.ts';
import { readAfter } from './clock.ts';
import { op, type OperationsOf } from './operation.ts';
import * as show from './schemas/control.ts';

/**
 * Maximum size of a snapshot, large enough for 60,000 sessions. With one endpoint, a session and its events
 * take about 4 kB.
 */
const MAX_SNAPSHOT_BYTES = 268_435_456;

export const stateOperations = {
  state: op({
    summary: 'Read a summary of the state',
    response: show.state,
    async run(context) {
      const reading = await readAfter(context, (clock) => clock.read());
      return context.transact((db) => ({
        now: reading.now,
        clock: reading,
        tenants: Array.from(db.all('tenants'), (tenant) => toTenantResource(db, tenant)),
        faults: Array.from(db.all('faults'), toFaultResource),
        counts: {
          sessions: db.count('sessions'),
          events: db.count('events'),
          deliveries: db.count('deliveries'),
          attempts: db.count('attempts'),
        },
      }));
    },
  }),
  reset: op({
    summary: 'Reset the state to the first accounts, with the same keys and secrets',
    response: show.demo,
    run: ({ reset }) => reset(),
  }),
  scenarios: op({
    summary: 'List the scenarios',
    response: v.array(show.scenario),
    run: () => SCENARIOS,
  }),
  snapshot: op({
    summary: 'Save a snapshot of the state',
    input: v.object({ secrets: v.optional(choice('secrets', ['keep', 'omit'])) }),
    response: show.snapshot,
    async run({ flushRequests, transact }, { secrets }) {
      await flushRequests();
      const snapshot = await transact((db, { nowMs }) => takeSnapshot(db, nowMs));
      return secrets === 'omit' ? toSnapshotWithoutSecrets(snapshot) : snapshot;
    },
  }),
  loadSnapshot: op({
    summary: 'Load a snapshot of the state',
    uncheckedBody: show.snapshot,
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
