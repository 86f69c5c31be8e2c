import * as v from 'valibot';
import { SCENARIOS } from '../../api/scenarios.ts';
import type { StateControl } from '../../api/state.ts';
import { listPublicHosts, releaseWebhooks } from '../../rules/hold-webhooks.ts';
import { findWebhookHoldSinceMs } from '../../rules/webhook-hold.ts';
import type { Db } from '../../store/db.ts';
import { toIsoOrNull } from '../../store/instant.ts';
import { choice } from '../schemas/fields.ts';
import {
  id,
  instant,
  instantOrNull,
  scenarioName,
  textOrNull,
  count,
  flag,
  text,
} from '../schemas/values.ts';
import { restoreSnapshot, takeSnapshot, toSnapshotWithoutSecrets } from '../snapshot.ts';
import { tenantResource, toTenantResource } from './accounts.ts';
import { clockReading, readAfter } from './clock.ts';
import { faultResource, toFaultResource } from './faults.ts';
import { op, type OperationsOf } from './operation.ts';

const stateResource = v.strictObject({
  now: instant,
  clock: clockReading,
  tenants: v.array(tenantResource),
  faults: v.array(faultResource),
  counts: v.strictObject({ sessions: count, events: count, deliveries: count, attempts: count }),
});

const demoResource = v.strictObject({
  tenantId: id,
  publishableKey: text,
  secretKey: text,
  webhookSecret: textOrNull,
});

export const scenarioResource = v.strictObject({
  name: scenarioName,
  title: text,
  description: text,
  outcome: v.picklist(['verified', 'failed', 'cancelled', 'expired', 'pending']),
  reason: textOrNull,
  needsFaceMatch: flag,
  knownAfter: v.picklist(['face', 'document', 'end']),
});

export const snapshotBody = v.strictObject({
  format: v.literal('ofage-mock-snapshot'),
  version: count,
  takenAt: instant,
  frozen: flag,
  secrets: v.exactOptional(v.literal('omitted')),
  webhooks: v.exactOptional(v.literal('held')),
  tables: v.record(text, v.array(v.looseObject({ id }))),
});

/**
 * Maximum size of a snapshot, large enough for 60,000 sessions. With one endpoint, a session and its events
 * take about 4 kB.
 */
const MAX_SNAPSHOT_BYTES = 268_435_456;

export const stateOperations = {
  state: op({
    summary: 'Read a summary of the state',
    response: stateResource,
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
    response: demoResource,
    run: ({ reset }) => reset(),
  }),
  scenarios: op({
    summary: 'List the scenarios',
    response: v.array(scenarioResource),
    run: () => SCENARIOS,
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
    refusals: [409, 413],
    async run({ flushRequests, transact, realNow, findDemo, publishReload, door }, snapshot) {
      await flushRequests();
      await transact((db, { random }) =>
        restoreSnapshot(db, snapshot, {
          realNowMs: realNow(),
          random,
          findDemo,
          isPublic: door !== null,
        }),
      );
      publishReload();
    },
  }),
  webhookHold: op({
    summary: 'Read the hold on webhooks to public addresses',
    response: v.strictObject({ since: instantOrNull, hosts: v.array(text) }),
    run: ({ transact }) =>
      transact((db) => {
        const sinceMs = findWebhookHoldSinceMs(db);
        return {
          since: toIsoOrNull(sinceMs),
          hosts: sinceMs === null ? [] : listPublicHosts(db),
        };
      }),
  }),
  releaseWebhooks: op({
    summary: 'Send the webhooks that are held',
    response: null,
    run: ({ transact }) => transact((db, { nowMs }) => releaseWebhooks(db, nowMs)),
  }),
  publicAddress: op({
    summary: 'Read the public address, for a second device',
    response: v.strictObject({
      url: textOrNull,
      port: v.nullable(count),
      lastRequestAt: instantOrNull,
      handoffUrl: textOrNull,
    }),
    async run({ door, transact, toHandoffUrl }) {
      if (!door) return { url: null, port: null, lastRequestAt: null, handoffUrl: null };
      const pendingId = await transact((db, { nowMs }) => findNewestPending(db, nowMs));
      return {
        url: door.url,
        port: door.port,
        lastRequestAt: toIsoOrNull(door.lastRequestAtMs()),
        handoffUrl: pendingId === null ? null : await toHandoffUrl(pendingId),
      };
    },
  }),
} satisfies OperationsOf<StateControl>;

/** A session lasts ten minutes, so only the newest ones can be pending. */
function findNewestPending(db: Db, nowMs: number): string | null {
  for (const { id, status, expiresAtMs } of db.newest('sessions') ?? []) {
    if (expiresAtMs <= nowMs) return null;
    if (status === 'PENDING') return id;
  }
  return null;
}
