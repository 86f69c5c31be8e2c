import { effect } from '@preact/signals';
import type {
  ClockReading,
  DeliveryResource,
  EndpointResource,
  EventResource,
  FaultResource,
  RequestResource,
  SessionResource,
} from 'ofage/mock';
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

/** The activity of the service as timeline entries. */
export interface ServiceFeed {
  /** The lists from which the entries are created. */
  readonly lists: readonly LiveList<ListItem>[];
  readonly events: ReadonlyMap<string, EventResource>;
  close(): void;
}

export interface ServiceListener {
  /** Adds new entries and updates of entries. */
  add(entries: readonly Entry[]): void;
  /** Replaces all entries of the service, after a gap in the stream or a reset. */
  replace(entries: readonly Entry[]): void;
  /** Reports the current reading of the service's clock. */
  anchor(clock: ClockReading, heardMs: number): void;
}

/** The maximum number of items in each list. Requests have a separate limit. */
const MOST = 1_000;
const MOST_REQUESTS = 500;
/** The list of the newest sessions, oldest first. */
export const SESSIONS = sources.sessions({}, MOST);
/**
 * A move of the clock reports every instant that it passes. The move counts as finished when no report
 * arrives for this time.
 */
const CLOCK_REST_MS = 400;

/** A kind of resource and its known items. */
interface Kind<Item extends ListItem> {
  readonly source: ListSource<Item>;
  readonly known: Map<string, Item>;
  toEntries(item: Item, heardMs: number | null): Entry[];
  /** Called when an item has changed. @returns the entries that describe the change */
  toChanges?(after: Item, before: Item | undefined, at: string, heardMs: number): Entry[];
}

export function followService(live: Live, listener: ServiceListener): ServiceFeed {
  const kinds = createKinds();
  // The cast is safe, because the topic of a list determines the kind of its items.
  const all = Object.values(kinds) as unknown as readonly Kind<ListItem>[];
  const opened = all.map((kind) => ({ kind, ...live.openList(kind.source) }));
  const lists = opened.map(({ list }) => list);

  /** Replaces the known items with those of the list, once the list has been read. */
  function takeList(kind: Kind<ListItem>, list: LiveList<ListItem>): void {
    if (list.reads.value === 0) return;
    kind.known.clear();
    for (const item of list.data.peek() ?? []) kind.known.set(String(item.id), item);
    if (lists.some(({ reads }) => reads.peek() === 0)) return;
    const toEntries = (one: Kind<ListItem>): Entry[] =>
      [...one.known.values()].flatMap((item) => one.toEntries(item, null));
    listener.replace(all.flatMap(toEntries));
  }

  function hear({ topic, data }: LiveMessage): void {
    const kind = all.find(({ source }) => source.topic === topic);
    if (!kind) return;
    const heardMs = Date.now();
    const at = new Date(live.clock.now()).toISOString();
    if (isDeleted(data)) {
      const id = String(data.id);
      const gone = kinds.endpoints.known.get(id);
      kind.known.delete(id);
      if (gone && topic === 'endpoint') listener.add(toEndpointChanges(gone, null, at, heardMs));
      return;
    }
    const item = data as ListItem;
    const key = String(item.id);
    const before = kind.known.get(key);
    kind.known.set(key, item);
    const changes = kind.toChanges?.(item, before, at, heardMs) ?? [];
    listener.add([...kind.toEntries(item, heardMs), ...changes]);
  }

  const stops = [
    ...opened.map(({ kind, list }) => effect(() => takeList(kind, list))),
    live.subscribe(hear),
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
  const sessions: Kind<SessionResource> = {
    source: SESSIONS,
    known: new Map(),
    toEntries: toSessionEntries,
    toChanges: (after, before, at, heardMs) =>
      before ? toSessionChanges(before, after, at, heardMs) : [],
  };
  const events: Kind<EventResource> = {
    source: sources.events({}, MOST),
    known: new Map(),
    toEntries: (event, heardMs) => [toEventEntry(event, heardMs)],
  };
  const deliveries: Kind<DeliveryResource> = {
    source: sources.deliveries({}, MOST),
    known: new Map(),
    toEntries: toDeliveryEntries,
  };
  const endpoints: Kind<EndpointResource> = {
    source: sources.allEndpoints,
    known: new Map(),
    toEntries: toEndpointEntries,
    toChanges: (after, before, at, heardMs) =>
      toEndpointChanges(before ?? null, after, at, heardMs),
  };
  const faults: Kind<FaultResource> = {
    source: sources.faults,
    known: new Map(),
    toEntries: (fault, heardMs) => [toFaultEntry(fault, heardMs)],
  };
  const requests: Kind<RequestResource> = {
    source: sources.requests({}, MOST_REQUESTS),
    known: new Map(),
    toEntries: (request) => [toRequestEntry(request)],
  };
  return { sessions, events, deliveries, endpoints, faults, requests };
}

/** Adds an entry when the clock was moved, reset, frozen or resumed. @returns a function that stops it */
function followClock(live: Live, listener: ServiceListener): () => void {
  let before: { readonly clock: ClockReading; readonly heardMs: number } | null = null;
  let resting: ReturnType<typeof setTimeout> | undefined;
  const stop = live.clock.reading.subscribe((clock) => {
    if (!clock) return;
    const after = { clock, heardMs: Date.now() };
    listener.anchor(clock, after.heardMs);
    before ??= after;
    clearTimeout(resting);
    resting = setTimeout(() => {
      const entry = before && toClockEntry(before, after);
      before = after;
      if (entry) listener.add([entry]);
    }, CLOCK_REST_MS);
  });
  return () => {
    stop();
    clearTimeout(resting);
  };
}
