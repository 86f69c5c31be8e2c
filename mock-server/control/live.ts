import type { Change, Db } from '../core/db.ts';
import type { TableName } from '../core/tables.ts';
import {
  toDeliveryResource,
  toEndpointResource,
  toEventResource,
  toFaultResource,
  toIso,
  toKeyResource,
  toSessionResource,
  toTenantResource,
} from './resources.ts';

/** What a message of the live stream is about. `reload`: more has changed than can be told; look again. */
export type LiveTopic =
  | 'tenant'
  | 'key'
  | 'session'
  | 'endpoint'
  | 'event'
  | 'delivery'
  | 'fault'
  | 'clock'
  | 'request'
  | 'reload';

export interface LiveMessage {
  /** Unique to this holder of the state, in order. */
  readonly id: string;
  readonly topic: LiveTopic;
  /** The resource as it is now; of what was deleted, its id and `deleted`. */
  readonly data: unknown;
}

/** Tells whoever listens what has changed, once it is durable. */
export interface Live {
  /** Takes changes from the store. Null: everything may have changed. */
  observe(db: Db, changes: readonly Change[] | null): void;
  publish(topic: LiveTopic, read: () => unknown): void;
  /**
   * @param sinceId The last message that the listener has seen; what came after it is told first, or
   *   `reload` when that is no longer known.
   * @returns how to stop
   */
  subscribe(sinceId: string | null, listener: LiveListener): () => void;
  /** Ends every subscription. */
  close(): void;
}

export interface LiveListener {
  message(message: LiveMessage): void;
  end(): void;
}

/** How many messages are kept for a listener that was away for a moment. */
const KEPT = 1_000;
/** More changes than this at once are no news but another state: a reset, a snapshot. */
const MAX_AT_ONCE = 500;

/** @param makeBirth Names this holder. Called late: the first use of Web Crypto takes Node milliseconds. */
export function createLive(makeBirth: () => string, virtualNow: (db: Db) => number): Live {
  let birth: string | undefined;
  const toId = (n: number): string => `${(birth ??= makeBirth())}-${n}`;
  const listeners = new Set<LiveListener>();
  const kept: LiveMessage[] = [];
  let count = 0;
  // Until somebody has listened once, nobody can have missed anything.
  let isRecording = false;

  function publish(topic: LiveTopic, read: () => unknown): void {
    if (!isRecording) return;
    count += 1;
    const message = { id: toId(count), topic, data: read() };
    kept.push(message);
    if (kept.length > KEPT) kept.shift();
    for (const listener of listeners) listener.message(message);
  }

  return {
    publish,
    observe(db, changes) {
      if (!isRecording) return;
      if (changes === null || changes.length > MAX_AT_ONCE) return publish('reload', () => null);
      const told = new Set<string>();
      for (const change of changes) {
        const news = toNews(db, change, virtualNow);
        if (!news || told.has(news.key)) continue;
        told.add(news.key);
        publish(news.topic, () => news.data);
      }
    },
    subscribe(sinceId, listener) {
      isRecording = true;
      if (sinceId !== null) {
        const last = toId(count);
        const at = kept.findIndex(({ id }) => id === sinceId);
        if (at >= 0) for (const message of kept.slice(at + 1)) listener.message(message);
        else if (sinceId !== last) listener.message({ id: last, topic: 'reload', data: null });
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

interface News {
  readonly topic: LiveTopic;
  /** Two changes with the same key are one piece of news. */
  readonly key: string;
  readonly data: unknown;
}

/** A table's topic, and whose row shows there: an attempt is part of its delivery. */
const TOPICS: { readonly [T in TableName]?: LiveTopic } = {
  tenants: 'tenant',
  keys: 'key',
  sessions: 'session',
  endpoints: 'endpoint',
  endpointHealth: 'endpoint',
  events: 'event',
  deliveries: 'delivery',
  attempts: 'delivery',
  faults: 'fault',
  clock: 'clock',
};

function toNews(db: Db, [table, id, row]: Change, now: (db: Db) => number): News | null {
  const topic = TOPICS[table];
  if (!topic) return null;
  if (topic === 'clock') {
    const frozen = db.get('clock', id)?.frozenAtMs != null;
    return { topic, key: topic, data: { now: toIso(now(db)), frozen } };
  }
  const subject = table === 'attempts' ? (db.get('attempts', id)?.deliveryId ?? null) : id;
  if (subject === null) return null;
  const data = toResource(db, topic, subject, now(db));
  if (data === null && (row !== null || table === 'endpointHealth')) return null;
  return { topic, key: `${topic}:${subject}`, data: data ?? { id: subject, deleted: true } };
}

/** The resource as it is now; null when it is gone. */
function toResource(db: Db, topic: LiveTopic, id: string, nowMs: number): object | null {
  const orNull = <T>(row: T | undefined, show: (row: T) => object): object | null =>
    row === undefined ? null : show(row);
  switch (topic) {
    case 'tenant':
      return orNull(db.get('tenants', id), toTenantResource);
    case 'key':
      return orNull(db.get('keys', id), toKeyResource);
    case 'session':
      return orNull(db.get('sessions', id), toSessionResource);
    case 'endpoint':
      return orNull(db.get('endpoints', id), (endpoint) => toEndpointResource(db, endpoint, nowMs));
    case 'event':
      return orNull(db.get('events', id), (event) => toEventResource(db, event));
    case 'delivery':
      return orNull(db.get('deliveries', id), (delivery) => {
        const event = db.get('events', delivery.eventId);
        return event ? toDeliveryResource(db, delivery, event) : { id };
      });
    case 'fault':
      return orNull(db.get('faults', id), toFaultResource);
    default:
      return null;
  }
}
