import { effect } from '@preact/signals';
import type { ClockReading, EventResource } from 'ofage/mock';
import type { Live, LiveMessage } from '../shared/live.ts';
import type { ListItem, ListSource } from '../shared/live/list-source.ts';
import type { LiveList } from '../shared/live/list.ts';
import { isDeleted } from '../shared/live/messages.ts';
import * as sources from '../shared/live/sources.ts';
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
  /** The lists from which the entries are created. */
  readonly lists: readonly LiveList<ListItem>[];
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
/** The list of the newest sessions, oldest first. */
export const SESSIONS = sources.sessions({}, MAX_ITEMS);
/**
 * A move of the clock sends a report for each instant at which something is due. The move counts as
 * finished when no report arrives for this time.
 */
const CLOCK_SETTLE_MS = 400;

/** A kind of resource and its known items. */
interface Kind<Item extends ListItem> {
  readonly source: ListSource<Item>;
  readonly known: Map<string, Item>;
  toEntries(item: Item, receivedMs: number | null): Entry[];
  /** Called when an item was added or changed. @returns the entries that describe the change */
  toChanges?(after: Item, before: Item | undefined, at: string, receivedMs: number): Entry[];
}

export function followService(live: Live, listener: ServiceListener): ServiceFeed {
  const kinds = createKinds();
  // The cast is safe, because the topic of a list determines the kind of its items.
  const all = Object.values(kinds) as unknown as readonly Kind<ListItem>[];
  const opened = all.map((kind) => ({ kind, ...live.openList(kind.source) }));
  const lists = opened.map(({ list }) => list);

  /** Replaces the known items with those of the list, once the list has been read. */
  function replaceItems(kind: Kind<ListItem>, list: LiveList<ListItem>): void {
    if (list.reads.value === 0) return;
    kind.known.clear();
    for (const item of list.data.peek() ?? []) kind.known.set(String(item.id), item);
    if (lists.some(({ reads }) => reads.peek() === 0)) return;
    const toEntries = (one: Kind<ListItem>): Entry[] =>
      [...one.known.values()].flatMap((item) => one.toEntries(item, null));
    listener.replace(all.flatMap(toEntries));
  }

  function applyMessage({ topic, data }: LiveMessage): void {
    const kind = all.find(({ source }) => source.topic === topic);
    if (!kind) return;
    const receivedMs = Date.now();
    const at = new Date(live.clock.now()).toISOString();
    if (isDeleted(data)) {
      const id = String(data.id);
      const deleted = kinds.endpoints.known.get(id);
      kind.known.delete(id);
      if (deleted && topic === 'endpoint')
        listener.add(toEndpointChanges(deleted, null, at, receivedMs));
      return;
    }
    const item = data as ListItem;
    const key = String(item.id);
    const before = kind.known.get(key);
    kind.known.set(key, item);
    const changes = kind.toChanges?.(item, before, at, receivedMs) ?? [];
    listener.add([...kind.toEntries(item, receivedMs), ...changes]);
  }

  const stops = [
    ...opened.map(({ kind, list }) => effect(() => replaceItems(kind, list))),
    live.subscribe(applyMessage),
    followClock(live, listener),
    ...opened.map(({ close }) => close),
  ];
  return {
    lists,
    events: kinds.events.known,
    close() {
      for (const stop of stops) stop();
    },
  };
}

function createKinds() {
  return {
    sessions: createKind({
      source: SESSIONS,
      toEntries: toSessionEntries,
      toChanges: (after, before, at, receivedMs) =>
        before ? toSessionChanges(before, after, at, receivedMs) : [],
    }),
    events: createKind({
      source: sources.events({}, MAX_ITEMS),
      toEntries: (event, receivedMs) => [toEventEntry(event, receivedMs)],
    }),
    deliveries: createKind({
      source: sources.deliveries({}, MAX_ITEMS),
      toEntries: toDeliveryEntries,
    }),
    endpoints: createKind({
      source: sources.allEndpoints,
      toEntries: toEndpointEntries,
      toChanges: (after, before, at, receivedMs) =>
        toEndpointChanges(before ?? null, after, at, receivedMs),
    }),
    faults: createKind({
      source: sources.faults,
      toEntries: (fault, receivedMs) => [toFaultEntry(fault, receivedMs)],
    }),
    requests: createKind({
      source: sources.requests({}, MAX_REQUESTS),
      toEntries: (request) => [toRequestEntry(request)],
    }),
  };
}

/** Creates a kind with no known items yet. TypeScript infers the type of the items from the source. */
function createKind<Item extends ListItem>(kind: Omit<Kind<Item>, 'known'>): Kind<Item> {
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
