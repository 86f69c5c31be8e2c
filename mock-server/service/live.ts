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
  /** Ends every subscription. */
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
  let publishedDue: string | null | undefined;

  function publish(message: LiveMessage): void {
    for (const listener of listeners) listener.message(message);
  }

  function publishReload(): void {
    publishedDue = undefined;
    publish({ topic: 'reload', data: null });
  }

  return {
    publishReload,
    observe(db, changes) {
      if (listeners.size === 0) return;
      const updates = changes && withoutEvictions(changes);
      // The hold on webhooks concerns all accounts and has no topic.
      if (updates?.some(([, id]) => id === WEBHOOK_HOLD_ID)) return publishReload();
      if (updates === null || countRare(updates) > MAX_AT_ONCE) return publishReload();
      const clock = readClock(db);
      for (const update of toUpdates(db, updates, clock)) publish(update);
      if (clock.nextDue === publishedDue && !updates.some(([table]) => table === 'clock')) return;
      publishedDue = clock.nextDue;
      publish({ topic: 'clock', data: clock });
    },
    subscribe(listener) {
      // Nothing is observed without a listener, so the next due time may have changed.
      publishedDue = undefined;
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    close() {
      for (const { end } of listeners) end();
      listeners.clear();
    },
  };
}

/** A resource that a change may have altered. */
interface Subject {
  readonly topic: ResourceTopic;
  readonly id: string;
  /** True if the change deleted it. */
  readonly isDeleted: boolean;
}

/** Yields the resources that the changes have altered, each of them once. */
function* toUpdates(
  db: Db,
  changes: readonly RowChange[],
  clock: ClockReading,
): Generator<LiveMessage> {
  const published = new Set<string>();
  for (const subject of changes.flatMap((change) => toSubjects(db, change))) {
    const key = `${subject.topic}:${subject.id}`;
    if (published.has(key)) continue;
    const { read, isNumbered } = RESOURCES[subject.topic];
    const data = read(db, subject.id, Date.parse(clock.now));
    if (!data && !subject.isDeleted) continue;
    published.add(key);
    const id = isNumbered ? Number(subject.id) : subject.id;
    yield { topic: subject.topic, data: data ?? { id, deleted: true } };
  }
}

/**
 * Leaves out the rows that a capped table evicts, because listeners decide themselves how many rows they
 * keep.
 */
function withoutEvictions(changes: readonly RowChange[]): readonly RowChange[] {
  const growth = new Map<TableName, number>();
  for (const [table, , row] of changes) {
    if (CAPPED_TABLES.has(table)) growth.set(table, (growth.get(table) ?? 0) + (row ? 1 : -1));
  }
  if (growth.size === 0) return changes;
  // A capped table shrinks only if its rows are deleted for another reason, such as a reset. These
  // deletions are reported.
  return changes.filter(([table, , row]) => row !== null || (growth.get(table) ?? -1) < 0);
}

/**
 * Counts the changes, except rows added to a capped table, because an ordinary commit adds many of them.
 */
function countRare(changes: readonly RowChange[]): number {
  return changes.filter(([table, , row]) => row === null || !CAPPED_TABLES.has(table)).length;
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
  // A legacy webhook has the id of its account, which shows whether it has one.
  endpoints: (db, id) => (db.get('tenants', id) ? [['tenant', id]] : []),
  // The row's id is the account's.
  outcomeQueues: (_db, id) => [['tenant', id]],
};

function toSubjects(db: Db, [table, id, row]: RowChange): Subject[] {
  const topic = TOPICS.get(table);
  const parts = (PARTS[table]?.(db, id) ?? []).flatMap(([of, at]) =>
    at === undefined ? [] : [{ topic: of, id: at, isDeleted: false }],
  );
  // A deleted legacy webhook is reported only as a change of its account.
  const isLegacy = table === 'endpoints' && parts.length > 0;
  return topic && !isLegacy ? [{ topic, id, isDeleted: row === null }, ...parts] : parts;
}
