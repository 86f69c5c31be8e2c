import type { SessionResource } from 'ofage-mock';
import type { ControlClient, LiveTopic } from 'ofage-mock/client';
import { signal } from '@preact/signals';
import type { Live } from '../../shared/live.ts';
import type { LiveMessage } from '../../shared/live-stream.ts';
import type { Provider } from '../../shared/provider.ts';
import type { Entry } from './entry.ts';
import type { Timeline } from './timeline.ts';
import {
  type ClockReport,
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
  toEntries(item: Resource): Entry[];
  /** Returns the entries for an item that was added, changed or deleted. `at` is the service's time. */
  toChanges?(before: Resource | null, after: Resource | null, at: string): Entry[];
}

/**
 * Fills the timeline: reads the lists once, and then converts the messages of the stream, which contain
 * whole resources. An entry for a change needs the resource before and after it, which a list cannot give.
 */
export function followService(
  { live, client }: Pick<Provider, 'live' | 'client'>,
  timeline: Pick<Timeline, 'add' | 'anchor' | 'replaceService'>,
) {
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
        timeline.replaceService(
          all.flatMap(({ known, toEntries }) => [...known.values()].flatMap(toEntries)),
        );
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
    const item = data as Item & { readonly deleted?: true };
    const key = String(item.id);
    const before = kind.known.get(key) ?? null;
    const after = item.deleted ? null : item;
    if (after) kind.known.set(key, after);
    else kind.known.delete(key);
    const at = new Date(live.clock.now()).toISOString();
    const changes = kind.toChanges?.(before, after, at) ?? [];
    const receivedMs = Date.now();
    timeline.add(
      [...(after ? kind.toEntries(after) : []), ...changes].map((one) => ({ ...one, receivedMs })),
    );
  }

  live.onMessage((message) => {
    since?.push(message);
    if (since === null) apply(message);
    if (message.topic === 'session') showSessions();
  });
  followClock(live, timeline);
  return { sessions, error: lists.error, events: kinds.events.known };
}

function createKinds() {
  return {
    sessions: createKind({
      topic: 'session',
      read: async (client) => (await client.sessions({ limit: MAX_ITEMS })).toReversed(),
      toEntries: toSessionEntries,
      toChanges: (before, after, at) =>
        before && after ? toSessionChanges(before, after, at) : [],
    }),
    events: createKind({
      topic: 'event',
      read: (client) => client.events({ limit: MAX_ITEMS }),
      toEntries: (event) => [toEventEntry(event)],
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
      toChanges: toEndpointChanges,
    }),
    faults: createKind({
      topic: 'fault',
      read: (client) => client.faults(),
      toEntries: (fault) => [toFaultEntry(fault)],
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

/** Adds an entry when the clock was moved, reset, frozen or resumed. */
function followClock({ clock }: Live, timeline: Pick<Timeline, 'add' | 'anchor'>): void {
  let before: ClockReport | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  clock.reading.subscribe((reading) => {
    if (!reading) return;
    const { now, frozen } = reading;
    const after = { clock: reading, receivedMs: Date.now() };
    timeline.anchor({ virtualMs: Date.parse(now), realMs: after.receivedMs, isFrozen: frozen });
    before ??= after;
    clearTimeout(timer);
    timer = setTimeout(() => {
      const entry = before && toClockEntry(before, after);
      before = after;
      if (entry) timeline.add([entry]);
    }, CLOCK_SETTLE_MS);
  });
}
