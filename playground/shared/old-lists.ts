// Lists of the pages that the console is about to replace. They go with these pages.
import { type ReadonlySignal, signal } from '@preact/signals';
import type {
  DeliveryFilter,
  DeliveryResource,
  EndpointResource,
  EventFilter,
  EventResource,
  FaultResource,
  KeyResource,
  RequestResource,
  SessionFilter,
  SessionResource,
  TenantResource,
} from 'ofage/mock';
import type { ControlClient, LiveTopic } from 'ofage/mock/client';
import { useEffect, useMemo } from 'preact/hooks';
import type { Live, Opened } from './live.ts';

export type ListItem = { readonly id: string | number; readonly createdAt?: string };

interface Page<Item> {
  readonly items: readonly Item[];
  readonly next: unknown;
}

export interface ListSource<Item> {
  readonly key: string;
  readonly topic: LiveTopic;
  read(client: ControlClient, limit: number): Promise<Page<Item>>;
  readonly limit?: number | undefined;
}

export interface LiveList<Item> extends Opened<readonly Item[]> {
  readonly hasOlder: ReadonlySignal<boolean>;
  loadOlder(): Promise<void>;
}

export function openList<Item extends ListItem>(
  { live, client }: { readonly live: Live; readonly client: ControlClient },
  source: ListSource<Item>,
): LiveList<Item> {
  const hasOlder = signal(false);
  let limit = source.limit ?? Infinity;
  const opened = live.open({
    key: `${source.key} ${Math.random()}`,
    topics: [source.topic],
    async read() {
      const page = await source.read(client, limit);
      hasOlder.value = page.next !== null;
      return page.items;
    },
  });
  return {
    ...opened,
    hasOlder,
    loadOlder() {
      limit += source.limit ?? 0;
      return opened.reload();
    },
  };
}

export function useList<Item extends ListItem>(
  provider: { readonly live: Live; readonly client: ControlClient },
  source: ListSource<Item>,
): LiveList<Item> {
  const list = useMemo(() => openList(provider, source), [provider, source.key]);
  useEffect(() => list.close, [list]);
  return list;
}

/** Data of the service that is shown and kept up to date. `data` and `error` can be signals. */
export interface Loadable<T> {
  /** The data. Null until the first successful read. */
  readonly data: { readonly value: T | null };
  /** The error message of the last read. Empty if it succeeded. */
  readonly error: { readonly value: string };
}

/** Maps the data of a loadable with `to`. */
export function derive<From, To>(
  { data, error }: Loadable<From>,
  to: (value: From) => To,
): Loadable<To> {
  return {
    data: {
      get value() {
        return data.value === null ? null : to(data.value);
      },
    },
    error,
  };
}

/** Combines several loadables into one. Its data is null until every part has data. */
export function combine<T extends object>(parts: {
  readonly [K in keyof T]: Loadable<T[K]>;
}): Loadable<T> {
  const entries = Object.entries<Loadable<unknown>>(parts);
  return {
    data: {
      get value() {
        const values = entries.map(([name, { data }]) => [name, data.value] as const);
        if (values.some(([, value]) => value === null)) return null;
        return Object.fromEntries(values) as T;
      },
    },
    error: {
      get value() {
        return entries.map(([, { error }]) => error.value).find((text) => text !== '') ?? '';
      },
    },
  };
}

/** Returns the only item of a list as a loadable. Its error is `gone` once the item was deleted. */
export function single<Item>(
  { data, error }: Loadable<readonly Item[]>,
  gone: string,
): Loadable<Item> {
  return {
    data: {
      get value() {
        return data.value?.[0] ?? null;
      },
    },
    error: {
      get value() {
        return data.value?.length === 0 ? gone : error.value;
      },
    },
  };
}
// The lists that a page can open. Each source says how its list is read and which messages belong to it.

export const accounts: ListSource<TenantResource> = {
  ...source('tenant', {}),
  read: async (client) => toWhole(await client.tenants()),
};

export const faults: ListSource<FaultResource> = {
  ...source('fault', {}),
  read: async (client) => toWhole(await client.faults()),
};

/** Returns the source of the keys of all pairs, in the order of the pairs. */
export function keys(tenantId: string): ListSource<KeyResource> {
  return {
    ...source('key', { tenantId }),
    async read(client) {
      const pairs = await client.keyPairs(tenantId);
      return toWhole(pairs.flatMap(({ publishable, secret }) => [publishable, secret]));
    },
  };
}

export function endpoints(tenantId: string): ListSource<EndpointResource> {
  return {
    ...source('endpoint', { tenantId }),
    read: async (client) => toWhole(await client.endpoints(tenantId)),
  };
}

export const allEndpoints: ListSource<EndpointResource> = {
  ...source('endpoint', {}),
  async read(client) {
    const tenants = await client.tenants();
    const lists = await Promise.all(tenants.map(({ id }) => client.endpoints(id)));
    return toWhole(lists.flat());
  },
};

/** Returns the source of a single endpoint. The list becomes empty when the endpoint is deleted. */
export function endpoint(id: string): ListSource<EndpointResource> {
  return {
    ...source('endpoint', { id }),
    read: async (client) => toWhole([await client.endpoint(id)]),
  };
}

/** Returns the source of a single session. The list becomes empty when the session is deleted. */
export function session(id: string): ListSource<SessionResource> {
  return {
    ...source('session', { id }),
    read: async (client) => toWhole([await client.session(id)]),
  };
}

export function sessions(
  filter: Pick<SessionFilter, 'tenantId' | 'externalUserId'>,
  limit: number,
): ListSource<SessionResource> {
  return {
    ...source('session', filter, limit),
    async read(client, many) {
      const read = (page: object) => client.pages.sessions({ ...filter, ...page });
      const { pages, next } = await readPages(many, read);
      return toOldestFirst({ items: pages.flat(), next });
    },
  };
}

export function events(
  filter: Pick<EventFilter, 'sessionId'>,
  limit: number,
): ListSource<EventResource> {
  return {
    ...source('event', filter, limit),
    read: (client, many) => client.pages.events({ ...filter, limit: many }),
  };
}

/** Returns the source of up to 100 events of one session. */
export function eventsOf(sessionId: string): ListSource<EventResource> {
  return events({ sessionId }, 100);
}

export function deliveries(
  filter: Pick<DeliveryFilter, 'sessionId' | 'endpointId'>,
  limit: number,
): ListSource<DeliveryResource> {
  return {
    ...source('delivery', filter, limit),
    async read(client, many) {
      const read = (page: object) => client.pages.deliveries({ ...filter, ...page });
      const { pages, next } = await readPages(many, read);
      return { items: pages.toReversed().flat(), next };
    },
  };
}

export function requests(
  filter: Pick<SessionFilter, 'tenantId'> & { sessionId?: string },
  limit: number,
): ListSource<RequestResource> {
  return {
    ...source('request', filter, limit),
    read: async (client, many) =>
      toOldestFirst(await client.pages.requests({ ...filter, limit: many })),
  };
}

/** @param filter The fields and values that all items of the list have in common. */
function source<Item extends ListItem>(
  topic: ListSource<Item>['topic'],
  filter: object,
  limit?: number,
): Omit<ListSource<Item>, 'read'> {
  return {
    key: JSON.stringify([topic, filter, limit]),
    topic,
    limit,
  };
}

/** The maximum page size of the service. */
const MAX_PAGE_SIZE = 1_000;

/** Reads the newest `many` items of a list, in as many pages as that takes. The pages are newest first. */
async function readPages<Item>(
  many: number,
  readPage: (page: { limit: number; before: string | undefined }) => Promise<ControlPage<Item>>,
): Promise<{ readonly pages: readonly Item[][]; readonly next: string | null }> {
  const pages: Item[][] = [];
  for (let before: string | undefined, left = many; ;) {
    const { items, next } = await readPage({ limit: Math.min(MAX_PAGE_SIZE, left), before });
    pages.push(items);
    left -= items.length;
    if (next === null || left <= 0) return { pages, next };
    before = next;
  }
}

interface ControlPage<Item> {
  readonly items: Item[];
  readonly next: string | null;
}

function toWhole<Item>(items: readonly Item[]): Page<Item> {
  return { items, next: null };
}

function toOldestFirst<Item extends ListItem>({ items, next }: Page<Item>): Page<Item> {
  return { items: items.toReversed(), next };
}
