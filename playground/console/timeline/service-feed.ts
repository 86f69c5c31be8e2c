import type { ClockReading, EventResource, SessionResource } from 'ofage/mock';
import type { ControlClient, LiveTopic } from 'ofage/mock/client';
import { signal, type ReadonlySignal } from '@preact/signals';
import type { Live } from '../../shared/live.ts';
import type { LiveMessage } from '../../shared/live-stream.ts';
import type { Provider } from '../../shared/provider.ts';
import type { Entry } from './entry.ts';
import {
  toClockEntry,
  toDeliveryEntries,
  toEndpointChanges,
  toEndpointEntries,
  toEventEntry,
  toFaultEntry,
  toRequestEntry,
  toSessionChanges,
  toSessionEntries,
} from './to-entries.ts';

/** A subscription to the service's activity. Its listener receives the timeline entries. */
export interface ServiceFeed {
  /** The sessions, newest first. */
  readonly sessions: ReadonlySignal<readonly SessionResource[]>;
  /** The reason why the lists could not be read. Empty if there was no error. */
  readonly error: ReadonlySignal<string>;
  readonly events: ReadonlyMap<string, EventResource>;
  close(): void;
}

export interface ServiceListener {
  add(entries: readonly Entry[]): void;
  /**
   * Replaces the entries of the service, except those of clock moves. Called after the first read, a gap in
   * the stream or a reset.
   */
  replace(entries: readonly Entry[]): void;
  /** Reports the current reading of the service's clock. */
  anchor(clock: ClockReading, receivedMs: number): void;
}

/** The maximum number of items in each of the lists of sessions, events and deliveries. */
const MAX_ITEMS = 1_000;
const MAX_REQUESTS = 500;
/**
 * A move of the clock sends a report for each instant at which something is due. The move counts as
 * finished when no report arrives for this time.
 */
const CLOCK_SETTLE_MS = 400;

type Item = { readonly id: string | number };

/** A kind of resource and its known items. */
interface Kind<Resource extends Item> {
  readonly topic: LiveTopic;
  readonly known: Map<string, Resource>;
  /** Reads the items, oldest first. */
  read(client: ControlClient): Promise<readonly Resource[]>;
  toEntries(item: Resource, receivedMs: number | null): Entry[];
  /** Called when an item was added or changed. @returns the entries that describe the change */
  toChanges?(
    after: Resource,
    before: Resource | undefined,
    at: string,
    receivedMs: number,
  ): Entry[];
}

/**
 * Reads the lists once, and then converts the messages of the stream, which contain whole resources. An
 * entry for a change needs the resource before and after it, which a list cannot give.
 */
export function followService(
  { live, client }: Pick<Provider, 'live' | 'client'>,
  listener: ServiceListener,
): ServiceFeed {
  const kinds = createKinds();
  // The cast is safe, because the topic of a kind determines the type of its items.
  const all = Object.values(kinds) as unknown as readonly Kind<Item>[];
  const sessions = signal<readonly SessionResource[]>([]);
  /** The messages since the pending read began, because its result may be older. Null while none is pending. */
  let since: LiveMessage[] | null = null;

  const lists = live.open({
    key: 'timeline',
    topics: ['reload'],
    async read() {
      since = [];
      try {
        const read = await Promise.all(all.map((kind) => kind.read(client)));
        for (const [at, { known }] of all.entries()) {
          known.clear();
          for (const item of read[at] ?? []) known.set(String(item.id), item);
        }
        const toEntries = ({ known, toEntries: convert }: Kind<Item>): Entry[] =>
          [...known.values()].flatMap((item) => convert(item, null));
        listener.replace(all.flatMap(toEntries));
        for (const message of since) apply(message);
      } finally {
        since = null;
      }
      showSessions();
    },
  });

  function showSessions(): void {
    sessions.value = [...kinds.sessions.known.values()].toReversed();
  }

  function apply({ topic, data }: LiveMessage): void {
    const kind = all.find((one) => one.topic === topic);
    if (!kind) return;
    const receivedMs = Date.now();
    const at = new Date(live.clock.now()).toISOString();
    const item = data as Item & { readonly deleted?: true };
    const key = String(item.id);
    const before = kind.known.get(key);
    if (item.deleted) {
      kind.known.delete(key);
      if (before && topic === 'endpoint') {
        listener.add(toEndpointChanges(before as never, null, at, receivedMs));
      }
      return;
    }
    kind.known.set(key, item);
    const changes = kind.toChanges?.(item, before, at, receivedMs) ?? [];
    listener.add([...kind.toEntries(item, receivedMs), ...changes]);
  }

  const stops = [
    live.onMessage((message) => {
      since?.push(message);
      if (since === null) apply(message);
      if (message.topic === 'session') showSessions();
    }),
    followClock(live, listener),
    lists.close,
  ];
  return {
    sessions,
    error: lists.error,
    events: kinds.events.known,
    close() {
      for (const stop of stops) stop();
    },
  };
}

function createKinds() {
  return {
    sessions: createKind({
      topic: 'session',
      read: async (client) => (await client.sessions({ limit: MAX_ITEMS })).toReversed(),
      toEntries: toSessionEntries,
      toChanges: (after, before, at, receivedMs) =>
        before ? toSessionChanges(before, after, at, receivedMs) : [],
    }),
    events: createKind({
      topic: 'event',
      read: (client) => client.events({ limit: MAX_ITEMS }),
      toEntries: (event, receivedMs) => [toEventEntry(event, receivedMs)],
    }),
    deliveries: createKind({
      topic: 'delivery',
      read: (client) => client.deliveries({ limit: MAX_ITEMS }),
      toEntries: toDeliveryEntries,
    }),
    endpoints: createKind({
      topic: 'endpoint',
      async read(client) {
        const accounts = await client.tenants();
        return (await Promise.all(accounts.map(({ id }) => client.endpoints(id)))).flat();
      },
      toEntries: toEndpointEntries,
      toChanges: (after, before, at, receivedMs) =>
        toEndpointChanges(before ?? null, after, at, receivedMs),
    }),
    faults: createKind({
      topic: 'fault',
      read: (client) => client.faults(),
      toEntries: (fault, receivedMs) => [toFaultEntry(fault, receivedMs)],
    }),
    requests: createKind({
      topic: 'request',
      read: async (client) => (await client.requests({ limit: MAX_REQUESTS })).toReversed(),
      toEntries: (request) => [toRequestEntry(request)],
    }),
  };
}

/** Creates a kind with no known items yet. TypeScript infers the type of the items from `read`. */
function createKind<Resource extends Item>(kind: Omit<Kind<Resource>, 'known'>): Kind<Resource> {
  return { ...kind, known: new Map() };
}

/** Adds an entry when the clock was moved, reset, frozen or resumed. @returns a function that stops it */
function followClock(live: Live, listener: ServiceListener): () => void {
  let before: { readonly clock: ClockReading; readonly receivedMs: number } | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = live.clock.reading.subscribe((clock) => {
    if (!clock) return;
    const after = { clock, receivedMs: Date.now() };
    listener.anchor(clock, after.receivedMs);
    before ??= after;
    clearTimeout(timer);
    timer = setTimeout(() => {
      const entry = before && toClockEntry(before, after);
      before = after;
      if (entry) listener.add([entry]);
    }, CLOCK_SETTLE_MS);
  });
  return () => {
    stop();
    clearTimeout(timer);
  };
}
