import type { LiveTopic } from '../api/client.ts';
import type { ClockReading } from '../api/clock.ts';
import { findEndpoint } from '../rules/endpoints.ts';
import { CAPPED_TABLES } from '../store/capped-tables.ts';
import type { Change, Db } from '../store/db.ts';
import type { TableName } from '../store/tables.ts';
import {
  toDeliveryResource,
  toEndpointResource,
  toEventResource,
  toFaultResource,
  toKeyResource,
  toObservationResource,
  toRequestResource,
  toSessionResource,
  toTenantResource,
} from './to-wire.ts';

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

export interface LiveListener {
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
  readonly topic: LiveTopic;
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
    const data = toResource(db, subject, clock);
    if (!data && !subject.isDeleted) continue;
    published.add(key);
    yield { topic: subject.topic, data: data ?? { id: shownId(subject), deleted: true } };
  }
}

/** The topics of the tables whose rows are separate resources. */
const TOPICS: { readonly [T in TableName]?: LiveTopic } = {
  tenants: 'tenant',
  keys: 'key',
  sessions: 'session',
  endpoints: 'endpoint',
  events: 'event',
  deliveries: 'delivery',
  faults: 'fault',
  requests: 'request',
  observations: 'observation',
};

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

/** Returns the id as the resource shows it. Requests and observations have numbers. */
function shownId({ topic, id }: Subject): string | number {
  return topic === 'request' || topic === 'observation' ? Number(id) : id;
}

function toSubjects(db: Db, [table, id, row]: Change): Subject[] {
  const topic = TOPICS[table];
  const own = topic ? [{ topic, id, isDeleted: row === null }] : [];
  const part = (topic: LiveTopic, of: string | undefined): Subject[] =>
    of === undefined ? [] : [{ topic, id: of, isDeleted: false }];
  switch (table) {
    case 'deliveries': {
      // An endpoint shows its number of queued deliveries. If the delivery was deleted, its endpoint is
      // unknown, so every endpoint is reported.
      const endpointId = db.get('deliveries', id)?.endpointId;
      const all = Array.from(db.all('endpoints'), (endpoint) => endpoint.id);
      const touched = endpointId === undefined ? all : [endpointId];
      return [...own, ...touched.flatMap((one) => part('endpoint', one))];
    }
    case 'attempts':
      return part('delivery', db.get('attempts', id)?.deliveryId);
    case 'endpointHealth':
      return part('endpoint', db.get('endpointHealth', id)?.endpointId);
    case 'endpoints':
      // A legacy webhook has the id of its account and is reported as a change of the account.
      return db.get('tenants', id) ? part('tenant', id) : own;
    case 'outcomeQueues':
      // The row's id is the account's.
      return part('tenant', id);
    default:
      return own;
  }
}

/** Returns the current resource, or null if it does not exist. */
function toResource(db: Db, { topic, id }: Subject, { now }: ClockReading): object | null {
  const orNull = <T>(row: T | undefined, show: (row: T) => object): object | null =>
    row === undefined ? null : show(row);
  switch (topic) {
    case 'tenant':
      return orNull(db.get('tenants', id), (tenant) => toTenantResource(db, tenant));
    case 'key':
      return orNull(db.get('keys', id), toKeyResource);
    case 'session':
      return orNull(db.get('sessions', id), toSessionResource);
    case 'endpoint':
      return orNull(findEndpoint(db, id), (endpoint) =>
        toEndpointResource(db, endpoint, Date.parse(now)),
      );
    case 'event':
      return orNull(db.get('events', id), (event) => toEventResource(db, event));
    case 'delivery': {
      const delivery = db.get('deliveries', id);
      const event = delivery && db.get('events', delivery.eventId);
      return event ? toDeliveryResource(db, delivery, event) : null;
    }
    case 'fault':
      return orNull(db.get('faults', id), toFaultResource);
    case 'request':
      return orNull(db.get('requests', id), toRequestResource);
    case 'observation':
      return orNull(db.get('observations', id), toObservationResource);
    default:
      return null;
  }
}
