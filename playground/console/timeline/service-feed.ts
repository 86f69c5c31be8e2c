import type { EventResource, SessionResource } from 'ofage-mock';
import type { ControlClient, LiveTopic } from 'ofage-mock/client';
import type { ReadonlySignal } from '@preact/signals';
import type { LiveMessage } from '../../shared/live-stream.ts';
import type { Provider } from '../../shared/provider.ts';
import type { Entry } from './entry.ts';
import {
  toChangeEntry,
  toDeliveryEntries,
  toEventEntry,
  toReportEntry,
  toRequestEntry,
  toSessionEntries,
} from './to-entries.ts';

/** The number of items of each list that the page reads at first, and with each press of Read older. */
const WINDOW = 250;
/** The largest page of a list. */
const MAX_PAGE = 1_000;

type Id = string | number;
type Item = { readonly id: Id };

interface PageOfItems<Resource extends Item> {
  readonly items: readonly Resource[];
  readonly next: Id | null;
}

/** A list of the service. */
interface List<Resource extends Item> {
  readonly topic: LiveTopic;
  /** Reads the newest items, or those before one, oldest first. */
  read(client: ControlClient, limit: number, before?: Id): Promise<PageOfItems<Resource>>;
  toEntries(item: Resource): Entry[];
  /** Returns the time by which the list is sorted. */
  startOf(item: Resource): string;
}

/** The newest items of a list, oldest first. */
interface ListWindow<Resource extends Item> extends List<Resource> {
  items: Map<string, Resource>;
  /** The number of items to keep. */
  size: number;
  /** True if the service has older items. */
  isCut: boolean;
}

/** The newest items of the service's lists. It is the same after a reload and in every tab. */
export interface ServiceFeed {
  /** Returns the entries, in no particular order, from the time on from which all lists are complete. */
  entries(): Entry[];
  /** Returns the sessions, newest first. */
  sessions(): SessionResource[];
  eventOf(eventId: string): EventResource | undefined;
  /** True if the service has older items. */
  hasOlder(): boolean;
  readOlder(): Promise<void>;
  /** The reason why the lists could not be read. Empty if there was no error. */
  readonly error: ReadonlySignal<string>;
  close(): void;
}

/**
 * Reads the newest items of the service's lists, and keeps them up to date by the messages of the stream,
 * which contain whole resources. Reading the lists again after each message would read a megabyte.
 * @param onChange Called after each change
 */
export function followService(
  { live, client }: Pick<Provider, 'live' | 'client'>,
  onChange: () => void,
): ServiceFeed {
  const windows = createWindows();
  // The cast is safe, because the topic of a list determines the type of its items.
  const all = Object.values(windows) as unknown as readonly ListWindow<Item>[];
  /** The messages since the pending read began, because its result may be older. Null while none is pending. */
  let since: LiveMessage[] | null = null;

  const lists = live.open({
    key: 'timeline',
    topics: ['reload'],
    isAwaited: false,
    async read() {
      since = [];
      try {
        const pages = await Promise.all(all.map((one) => readNewest(client, one)));
        for (const [at, one] of all.entries()) show(one, pages[at] ?? { items: [], next: null });
        for (const message of since) apply(message);
      } finally {
        since = null;
      }
      onChange();
    },
  });

  function apply({ topic, data }: LiveMessage): void {
    const one = all.find((list) => list.topic === topic);
    if (!one) return;
    const item = data as ItemOrDeleted<Item>;
    if (isUnclear(one, item)) void lists.reload();
    else applyItem(one, item);
  }

  const stopListening = live.onMessage((message) => {
    since?.push(message);
    if (since !== null) return;
    apply(message);
    onChange();
  });

  return {
    entries() {
      const fromMs = Math.max(...all.map(completeFromMs));
      return all
        .flatMap(({ items, toEntries }) => [...items.values()].flatMap(toEntries))
        .filter(({ atMs }) => atMs >= fromMs);
    },
    sessions: () => [...windows.sessions.items.values()].toReversed(),
    eventOf: (eventId) => windows.events.items.get(eventId),
    hasOlder: () => all.some(({ isCut }) => isCut),
    async readOlder() {
      await Promise.all(all.filter(({ isCut }) => isCut).map((one) => readOlder(client, one)));
      onChange();
    },
    error: lists.error,
    close() {
      stopListening();
      lists.close();
    },
  };
}

/** Reads as many of the newest items as the window has. */
async function readNewest<Resource extends Item>(
  client: ControlClient,
  { read, size }: ListWindow<Resource>,
): Promise<PageOfItems<Resource>> {
  let { items, next } = await read(client, Math.min(size, MAX_PAGE));
  while (next !== null && items.length < size) {
    const older = await read(client, Math.min(size - items.length, MAX_PAGE), next);
    items = [...older.items, ...items];
    next = older.next;
  }
  return { items, next };
}

async function readOlder<Resource extends Item>(
  client: ControlClient,
  one: ListWindow<Resource>,
): Promise<void> {
  const oldest = findOldest(one);
  if (!oldest) return;
  const older = await one.read(client, WINDOW, oldest.id);
  one.size += WINDOW;
  show(one, { items: [...older.items, ...one.items.values()], next: older.next });
}

function show<Resource extends Item>(
  one: ListWindow<Resource>,
  { items, next }: PageOfItems<Resource>,
): void {
  one.items = new Map(items.map((item) => [String(item.id), item]));
  one.isCut = next !== null;
}

type ItemOrDeleted<Resource extends Item> = Resource & { readonly deleted?: true };

/**
 * Tells whether only the service knows the item's place: it may be new, or one of those that a window has
 * left out although they are of the same instant. The clock may be frozen.
 */
function isUnclear<Resource extends Item>(
  one: ListWindow<Resource>,
  item: ItemOrDeleted<Resource>,
): boolean {
  if (item.deleted || !one.isCut || one.items.has(String(item.id))) return false;
  const oldest = findOldest(one);
  return oldest !== undefined && one.startOf(item) === one.startOf(oldest);
}

/** Adds, replaces or removes an item. The oldest item leaves a full window. */
function applyItem<Resource extends Item>(
  one: ListWindow<Resource>,
  item: ItemOrDeleted<Resource>,
): void {
  const key = String(item.id);
  if (item.deleted) return void one.items.delete(key);
  if (!one.items.has(key) && isBeforeWindow(one, item)) return;
  one.items.set(key, item);
  const oldest = findOldest(one);
  if (one.items.size <= one.size || !oldest) return;
  one.items.delete(String(oldest.id));
  one.isCut = true;
}

/** Tells whether an item is older than the window, which a reload would not read either. */
function isBeforeWindow<Resource extends Item>(one: ListWindow<Resource>, item: Resource): boolean {
  const oldest = findOldest(one);
  return one.isCut && oldest !== undefined && one.startOf(item) < one.startOf(oldest);
}

function findOldest<Resource extends Item>({ items }: ListWindow<Resource>): Resource | undefined {
  const [oldest] = items.values();
  return oldest;
}

/** Returns the time from which on the window has every item of its list. */
function completeFromMs<Resource extends Item>(one: ListWindow<Resource>): number {
  const oldest = findOldest(one);
  return one.isCut && oldest ? Date.parse(one.startOf(oldest)) : -Infinity;
}

function createWindows() {
  return {
    sessions: createWindow({
      topic: 'session',
      read: async (client, limit, before) =>
        oldestFirst(await client.pages.sessions({ limit, before: toText(before) })),
      toEntries: toSessionEntries,
      startOf: ({ createdAt }) => createdAt,
    }),
    events: createWindow({
      topic: 'event',
      read: (client, limit, before) => client.pages.events({ limit, before: toText(before) }),
      toEntries: (event) => [toEventEntry(event)],
      startOf: ({ createdAt }) => createdAt,
    }),
    deliveries: createWindow({
      topic: 'delivery',
      read: (client, limit, before) => client.pages.deliveries({ limit, before: toText(before) }),
      toEntries: toDeliveryEntries,
      startOf: ({ createdAt }) => createdAt,
    }),
    requests: createWindow({
      topic: 'request',
      read: async (client, limit, before) =>
        oldestFirst(await client.pages.requests({ limit, before: toNumber(before) })),
      toEntries: (request) => [toRequestEntry(request)],
      startOf: ({ at }) => at,
    }),
    changes: createWindow({
      topic: 'change',
      read: async (client, limit, before) =>
        oldestFirst(await client.pages.changes({ limit, before: toNumber(before) })),
      toEntries: (change) => [toChangeEntry(change)],
      startOf: ({ at }) => at,
    }),
    reports: createWindow({
      topic: 'report',
      read: async (client, limit, before) =>
        oldestFirst(await client.pages.reports({ limit, before: toNumber(before) })),
      toEntries: (report) => [toReportEntry(report)],
      startOf: ({ at }) => at,
    }),
  };
}

/** Creates an empty window. TypeScript infers the type of the items from `read`. */
function createWindow<Resource extends Item>(list: List<Resource>): ListWindow<Resource> {
  return { ...list, items: new Map(), size: WINDOW, isCut: false };
}

function oldestFirst<Resource extends Item>({
  items,
  next,
}: PageOfItems<Resource>): PageOfItems<Resource> {
  return { items: items.toReversed(), next };
}

const toText = (id: Id | undefined): string | undefined => (id === undefined ? id : String(id));
const toNumber = (id: Id | undefined): number | undefined => (id === undefined ? id : Number(id));
