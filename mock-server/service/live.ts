import type { LiveTopic } from '../api/client.ts';
import type { ClockReading } from '../api/clock.ts';
import type { Change, Db } from '../store/db.ts';
import { CAPPED_TABLES } from '../store/rows.ts';
import type { Rows, TableName } from '../store/tables.ts';
import { toTenantResource } from './operations/accounts.ts';
import { toDeliveryResource, toEventResource } from './operations/deliveries.ts';
import { toObservationResource } from './operations/doctor.ts';
import { toEndpointResource } from './operations/endpoints.ts';
import { toFaultResource } from './operations/faults.ts';
import { toKeyResource } from './operations/keys.ts';
import { toRequestResource } from './operations/requests.ts';
import { toSessionResource } from './operations/sessions.ts';

export interface LiveMessage {
  /** A prefix that is unique to this process, and a number that counts up. */
  readonly id: string;
  readonly topic: LiveTopic;
  /** The current resource. If it was deleted, the data has only its id and `deleted`. Null for `reload`. */
  readonly data: unknown;
}

/** A publisher of changes, which notifies its listeners once the changes are durable. */
export interface Live {
  /** Receives changes from the store. Null means that everything may have changed. */
  observe(db: Db, changes: readonly Change[] | null): void;
  publish(topic: LiveTopic, read: () => unknown): void;
  /** The id of the last message. A listener that has received it is up to date. */
  readonly lastId: string;
  /**
   * @param sinceId The id of the last message that the listener has received, or null for a new listener.
   *   Later messages are sent first, or `reload` if they are no longer stored.
   * @returns a function that ends the subscription
   */
  subscribe(sinceId: string | null, listener: LiveListener): () => void;
  /** Ends every subscription. */
  close(): void;
}

interface LiveListener {
  message(message: LiveMessage): void;
  end(): void;
}

/** Number of messages kept for a listener that reconnects. */
const KEPT = 1_000;
/**
 * Maximum number of changes to report one by one. If there are more, the state counts as replaced, as after
 * a reset or a snapshot, and listeners reload it.
 */
const MAX_AT_ONCE = 500;

/**
 * @param createPrefix Creates this process's prefix of message ids. Called lazily, because the first use of
 *   Web Crypto takes Node some milliseconds.
 * @param readClock Returns the clock as the control API shows it.
 */
export function createLive(createPrefix: () => string, readClock: (db: Db) => ClockReading): Live {
  let prefix: string | undefined;
  const toId = (n: number): string => `${(prefix ??= createPrefix())}-${n}`;
  const listeners = new Set<LiveListener>();
  const kept: LiveMessage[] = [];
  let count = 0;
  // Messages are stored only once there has been a listener, because before that none can be missed.
  let isRecording = false;
  let publishedDue: string | null | undefined;

  function publish(topic: LiveTopic, read: () => unknown): void {
    if (!isRecording) return;
    count += 1;
    const message = { id: toId(count), topic, data: read() };
    kept.push(message);
    if (kept.length > KEPT) kept.shift();
    for (const listener of listeners) listener.message(message);
  }

  /** Returns the messages after a given one, or null if they are no longer stored. */
  function findMissed(sinceId: string): readonly LiveMessage[] | null {
    if (sinceId === toId(count - kept.length)) return [...kept];
    const at = kept.findIndex(({ id }) => id === sinceId);
    return at < 0 ? null : kept.slice(at + 1);
  }

  return {
    publish,
    get lastId() {
      return toId(count);
    },
    observe(db, changes) {
      if (!isRecording) return;
      const updates = changes && withoutEvictions(changes);
      if (updates === null || countRare(updates) > MAX_AT_ONCE) {
        publishedDue = undefined;
        return publish('reload', () => null);
      }
      const clock = readClock(db);
      for (const { topic, data } of toUpdates(db, updates, clock)) publish(topic, () => data);
      if (clock.nextDue === publishedDue && !updates.some(([table]) => table === 'clock')) return;
      publishedDue = clock.nextDue;
      publish('clock', () => clock);
    },
    subscribe(sinceId, listener) {
      isRecording = true;
      if (sinceId !== null) {
        const missed = findMissed(sinceId);
        if (missed) for (const message of missed) listener.message(message);
        else listener.message({ id: toId(count), topic: 'reload', data: null });
      }
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
  changes: readonly Change[],
  clock: ClockReading,
): Generator<Pick<LiveMessage, 'topic' | 'data'>> {
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
function withoutEvictions(changes: readonly Change[]): readonly Change[] {
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
function countRare(changes: readonly Change[]): number {
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

function toSubjects(db: Db, [table, id, row]: Change): Subject[] {
  const topic = TOPICS.get(table);
  const parts = (PARTS[table]?.(db, id) ?? []).flatMap(([of, at]) =>
    at === undefined ? [] : [{ topic: of, id: at, isDeleted: false }],
  );
  // A deleted legacy webhook is reported only as a change of its account.
  const isLegacy = table === 'endpoints' && parts.length > 0;
  return topic && !isLegacy ? [{ topic, id, isDeleted: row === null }, ...parts] : parts;
}
