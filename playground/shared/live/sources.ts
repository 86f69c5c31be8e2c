import type {
  DeliveryResource,
  EndpointResource,
  EventResource,
  FaultResource,
  KeyPairResource,
  KeyResource,
  RequestResource,
  SessionResource,
  TenantResource,
} from 'ofage/mock';
import { toQuery } from '../to-query.ts';
import type { Control, ListItem, ListSource, Page } from './list.ts';
import type { LiveTopic } from './news.ts';

/** The lists that a page can open: where each is read, and which news belong to it. */

export const accounts = whole<TenantResource>('tenant', '/tenants');
export const faults = whole<FaultResource>('fault', '/faults');

export function endpoints(tenantId: string): ListSource<EndpointResource> {
  return whole('endpoint', `/tenants/${tenantId}/webhook-endpoints`, { tenantId });
}

export function endpoint(id: string): ListSource<EndpointResource> {
  return single('endpoint', `/webhook-endpoints/${encodeURIComponent(id)}`, id);
}

/** The keys of all pairs, in the order of the pairs. */
export function keys(tenantId: string): ListSource<KeyResource> {
  const path = `/tenants/${tenantId}/key-pairs`;
  return {
    ...whole<KeyResource>('key', path, { tenantId }),
    async read(control) {
      const { items } = await control<{ items: KeyPairResource[] }>('GET', path);
      return toPage(items.flatMap(({ publishable, secret }) => [publishable, secret]));
    },
  };
}

export interface SessionFilter {
  readonly tenantId?: string;
  readonly externalUserId?: string;
}

export function sessions(filter: SessionFilter, limit: number): ListSource<SessionResource> {
  return newest('session', '/sessions', filter, limit, 'newest first');
}

export function session(id: string): ListSource<SessionResource> {
  return single('session', `/sessions/${encodeURIComponent(id)}`, id);
}

export function events(
  filter: { readonly sessionId?: string },
  limit: number,
): ListSource<EventResource> {
  return newest('event', '/events', filter, limit, 'oldest first');
}

export function deliveries(
  filter: { readonly sessionId?: string } | { readonly endpointId: string },
  limit: number,
): ListSource<DeliveryResource> {
  return newest('delivery', '/deliveries', filter, limit, 'oldest first');
}

export function requests(
  filter: { readonly sessionId?: string },
  limit: number,
): ListSource<RequestResource> {
  return newest('request', '/requests', filter, limit, 'newest first');
}

type Filter = Readonly<Record<string, string | undefined>>;

/** A list that does not page. */
function whole<Item extends ListItem>(
  topic: LiveTopic,
  path: string,
  filter: Filter = {},
): ListSource<Item> {
  return {
    key: path,
    topic,
    matches: matcher(filter),
    read: async (control) => toPage((await control<{ items: Item[] }>('GET', path)).items),
  };
}

/** One resource, as a list that is empty once it was deleted. */
function single<Item extends ListItem>(
  topic: LiveTopic,
  path: string,
  id: string,
): ListSource<Item> {
  return {
    key: path,
    topic,
    matches: matcher({ id }),
    read: async (control) => toPage([await control<Item>('GET', path)]),
  };
}

/** The newest so many that match. */
function newest<Item extends ListItem>(
  topic: LiveTopic,
  path: string,
  filter: object,
  limit: number,
  order: 'newest first' | 'oldest first',
): ListSource<Item> {
  const wanted = { ...filter } as Filter;
  return {
    key: `${path}?${toQuery({ ...wanted, limit })}`,
    topic,
    matches: matcher(wanted),
    limit,
    async read(control: Control, many: number) {
      const asked = `${path}?${toQuery({ ...wanted, limit: many })}`;
      const { items, next } = await control<Page<Item>>('GET', asked);
      return { items: order === 'newest first' ? items.toReversed() : items, next };
    },
  };
}

function toPage<Item>(items: readonly Item[]): Page<Item> {
  return { items, next: null };
}

function matcher(filter: Filter): (item: object) => boolean {
  const wanted = Object.entries(filter).filter(([, value]) => value !== undefined);
  return (item) => wanted.every(([name, value]) => Object(item)[name] === value);
}
