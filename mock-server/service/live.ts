import type { LiveTopic } from '../api/client.ts';
import type { ClockReading } from '../api/clock.ts';
import { WEBHOOK_HOLD_ID } from '../rules/webhook-hold.ts';
import type { Db, RowChange } from '../store/db.ts';
import { CAPPED_TABLES } from '../store/rows.ts';
import type { Rows, TableName } from '../store/tables.ts';
import { toTenantResource } from './operations/accounts.ts';
import { toChangeResource } from './operations/changes.ts';
import { toDeliveryResource, toEventResource } from './operations/deliveries.ts';
import { toObservationResource } from './operations/doctor.ts';
import { toEndpointResource } from './operations/endpoints.ts';
import { toFaultResource } from './operations/faults.ts';
import { toKeyResource } from './operations/keys.ts';
import { toReportResource } from './operations/reports.ts';
import { toRequestResource } from './operations/requests.ts';
import { toSessionResource } from './operations/sessions.ts';

export interface LiveMessage {
  readonly topic: LiveTopic;
  /** The current resource. If it was deleted, the data has only its id and `deleted`. Null for `reload`. */
  readonly data: unknown;
}

/** A publisher of changes, which notifies its listeners once the changes are durable. */
export interface Live {
  /** Receives changes from the store. Null means that everything may have changed. */
  observe(db: Db, changes: readonly RowChange[] | null): void;
  /** Tells the listeners that the whole state was replaced. */
  publishReload(): void;
  /** @returns a function that ends the subscription */
  subscribe(listener: LiveListener): () => void;
  /** Ends every subscription, and later ones at once. */
  close(): void;
}

interface LiveListener {
  message(message: LiveMessage): void;
  end(): void;
}

/**
 * Maximum number of changes to report one by one. If there are more, the state counts as replaced, as after
 * a reset or a snapshot, and listeners reload it.
 */
const MAX_AT_ONCE = 500;

/** @param readClock Returns the clock as the control API shows it. */
export function createLive(readClock: (db: Db) => ClockReading): Live {
  const listeners = new Set<LiveListener>();
  /** The clock's `nextDue` as all listeners know it. Undefined if one of them may not know it. */
  let knownDue: string | null | undefined;
  let isClosed = false;

  function publish(message: LiveMessage): void {
    for (const listener of listeners) listener.message(message);
  }

  function publishReload(): void {
    knownDue = undefined;
    publish({ topic: 'reload', data: null });
  }

  function publishRows(db: Db, changes: readonly RowChange[]): void {
    const clock = readClock(db);
    for (const update of toUpdates(db, changes, clock)) publish(update);
    const isClockChanged = changes.some(([table]) => table === 'clock');
    if (!isClockChanged && clock.nextDue === knownDue) return;
    knownDue = clock.nextDue;
    publish({ topic: 'clock', data: clock });
  }

  return {
    publishReload,
    observe(db, changes) {
      if (listeners.size === 0) return;
      const reported = changes && withoutEvictions(changes);
      if (reported === null || needsReload(reported)) publishReload();
      else publishRows(db, reported);
    },
    subscribe(listener) {
      knownDue = undefined;
      if (isClosed) listener.end();
      else listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    close() {
      isClosed = true;
      for (const { end } of listeners) end();
      listeners.clear();
    },
  };
}

/** Tells whether the changes concern more than their own resources, or are too many. */
function needsReload(changes: readonly RowChange[]): boolean {
  // The hold on webhooks concerns all accounts and has no topic.
  if (changes.some(([table, id]) => table === 'settings' && id === WEBHOOK_HOLD_ID)) return true;
  // Rows added to a capped table do not count, because an ordinary commit adds many of them.
  const counted = changes.filter(([table, , row]) => row === null || !CAPPED_TABLES.has(table));
  return counted.length > MAX_AT_ONCE;
}

/**
 * Leaves out the rows that a capped table evicts, because listeners decide themselves how many rows they
 * keep. The table shrinks only if its rows are deleted for another reason, such as a reset. Unless the same
 * commit adds as many rows, these deletions are reported.
 */
function withoutEvictions(changes: readonly RowChange[]): readonly RowChange[] {
  const growth = new Map<TableName, number>();
  for (const [table, , row] of changes) {
    if (CAPPED_TABLES.has(table)) growth.set(table, (growth.get(table) ?? 0) + (row ? 1 : -1));
  }
  if (growth.size === 0) return changes;
  return changes.filter(([table, , row]) => {
    const hasShrunk = (growth.get(table) ?? 0) < 0;
    const isEviction = row === null && CAPPED_TABLES.has(table) && !hasShrunk;
    return !isEviction;
  });
}

/** A resource that a change may have altered. */
interface Subject {
  readonly topic: ResourceTopic;
  readonly id: string;
  /** True if the change deleted it. */
  readonly isDeleted: boolean;
}

/**
 * Yields the resources that the changes have altered, each of them once:
 *
 * - A resource that exists, also if it was deleted and added again: its current state.
 * - One that was deleted: only its id.
 * - Others: nothing. They are not shown, such as a legacy webhook, or were deleted by another change.
 */
function* toUpdates(
  db: Db,
  changes: readonly RowChange[],
  clock: ClockReading,
): Generator<LiveMessage> {
  const published = new Set<string>();
  for (const { topic, id, isDeleted } of changes.flatMap((change) => toSubjects(db, change))) {
    const key = `${topic}:${id}`;
    if (published.has(key)) continue;
    const { read, isNumbered } = RESOURCES[topic];
    const resource = read(db, id, Date.parse(clock.now));
    if (!resource && !isDeleted) continue;
    published.add(key);
    const data = resource ?? { id: isNumbered ? Number(id) : id, deleted: true };
    yield { topic, data };
  }
}

/** A topic whose messages contain a resource. */
type ResourceTopic = Exclude<LiveTopic, 'clock' | 'reload'>;

/** The resource of a topic. */
interface LiveResource {
  readonly table: TableName;
  /** Returns the current resource, or null if it does not exist. */
  read(db: Db, id: string, nowMs: number): object | null;
  /** True if the resource shows its id as a number. @default false */
  readonly isNumbered?: boolean;
}

const RESOURCES: Readonly<Record<ResourceTopic, LiveResource>> = {
  tenant: from('tenants', (tenant, db) => toTenantResource(db, tenant)),
  key: from('keys', toKeyResource),
  session: from('sessions', toSessionResource),
  endpoint: from('endpoints', (endpoint, db, nowMs) =>
    endpoint.kind === 'legacy' ? null : toEndpointResource(db, endpoint, nowMs),
  ),
  event: from('events', (event, db) => toEventResource(db, event)),
  delivery: from('deliveries', (delivery, db) => {
    const event = db.get('events', delivery.eventId);
    return event ? toDeliveryResource(db, delivery, event) : null;
  }),
  fault: from('faults', toFaultResource),
  request: { ...from('requests', toRequestResource), isNumbered: true },
  observation: { ...from('observations', toObservationResource), isNumbered: true },
  change: { ...from('changes', toChangeResource), isNumbered: true },
  report: { ...from('reports', toReportResource), isNumbered: true },
};

function from<T extends TableName>(
  table: T,
  show: (row: Rows[T], db: Db, nowMs: number) => object | null,
): LiveResource {
  return {
    table,
    read(db, id, nowMs) {
      const row = db.get(table, id);
      return row === undefined ? null : show(row, db, nowMs);
    },
  };
}

const TOPICS = new Map<TableName, ResourceTopic>(
  (Object.keys(RESOURCES) as ResourceTopic[]).map((topic) => [RESOURCES[topic].table, topic]),
);

/** A function that finds the resources which show a part of a changed row. */
type Parts = (db: Db, id: string) => readonly [topic: ResourceTopic, id: string | undefined][];

/** The tables whose rows are a part of resources of other tables. */
const PARTS: { readonly [T in TableName]?: Parts } = {
  // An endpoint shows its number of queued deliveries. If the delivery was deleted, its endpoint is unknown,
  // so every endpoint is reported.
  deliveries(db, id) {
    const delivery = db.get('deliveries', id);
    if (delivery) return [['endpoint', delivery.endpointId]];
    return Array.from(db.all('endpoints'), (endpoint) => ['endpoint', endpoint.id]);
  },
  attempts: (db, id) => [['delivery', db.get('attempts', id)?.deliveryId]],
  endpointHealth: (db, id) => [['endpoint', db.get('endpointHealth', id)?.endpointId]],
  // An account shows whether it has a legacy webhook.
  endpoints: (db, id) => (isLegacyWebhook(db, id) ? [['tenant', id]] : []),
  // The row's id is the account's.
  outcomeQueues: (_db, id) => [['tenant', id]],
};

/** Tells whether an endpoint, which may have been deleted, is a legacy webhook. It has its account's id. */
function isLegacyWebhook(db: Db, endpointId: string): boolean {
  return db.get('tenants', endpointId) !== undefined;
}

function toSubjects(db: Db, [table, id, row]: RowChange): Subject[] {
  const topic = TOPICS.get(table);
  const parts = (PARTS[table]?.(db, id) ?? []).flatMap(([of, at]) =>
    at === undefined ? [] : [{ topic: of, id: at, isDeleted: false }],
  );
  // A legacy webhook is reported only as a change of its account.
  if (!topic || (table === 'endpoints' && isLegacyWebhook(db, id))) return parts;
  return [{ topic, id, isDeleted: row === null }, ...parts];
}
