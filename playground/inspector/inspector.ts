import { type ReadonlySignal, type Signal, computed, signal } from '@preact/signals';
import type {
  ClockReading,
  DeliveryResource,
  EndpointResource,
  EventResource,
  FaultResource,
  RequestResource,
  SessionResource,
} from 'ofage/mock';
import { formatError } from '../shared/kit/format-error.ts';
import type { LiveNews } from '../shared/live.ts';
import type { Provider } from '../shared/provider.ts';
import {
  clearRelayedRequests,
  onRelayedRequest,
  readRelayedRequests,
} from '../shared/request-relay.ts';
import { clearTrace, onTrace, readTrace } from '../shared/trace.ts';
import { ENTRY_KINDS, type Entry, type EntryKind } from './entry.ts';
import { type EntryFilter, filterEntries } from './filter-entries.ts';
import type { PlacedEntry } from './order-entries.ts';
import {
  type RecordingNotes,
  keepNotes,
  noteDelivery,
  noteEndpoint,
  noteFault,
  readNotes,
} from './recorder.ts';
import { createTimeline } from './timeline.ts';
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
  toTraceEntry,
} from './to-entries.ts';

interface HeardClock {
  readonly clock: ClockReading;
  readonly heardMs: number;
}

/** The state of the page. */
export interface Inspector {
  readonly provider: Provider;
  /** Oldest first; stands still while paused. */
  readonly entries: ReadonlySignal<readonly PlacedEntry[]>;
  readonly shown: ReadonlySignal<readonly PlacedEntry[]>;
  /** How many came since the pause began. */
  readonly waiting: ReadonlySignal<number>;
  readonly isPaused: Signal<boolean>;
  readonly isNewestFirst: Signal<boolean>;
  readonly kinds: Signal<ReadonlySet<EntryKind>>;
  readonly sessionId: Signal<string | null>;
  readonly text: Signal<string>;
  /** Newest first. */
  readonly sessions: ReadonlySignal<readonly SessionResource[]>;
  readonly clock: ReadonlySignal<HeardClock | null>;
  /** Null while nothing is recorded. */
  readonly recording: Signal<RecordingNotes | null>;
  readonly trouble: ReadonlySignal<string | null>;
  eventOf(eventId: string): EventResource | undefined;
  /** The service's time by now. */
  nowMs(): number;
  /** All requests up to now, oldest first; what is known here may be a page load behind. */
  requests(): Promise<readonly RequestResource[]>;
  clear(): void;
  /** @returns how to stop */
  start(): () => void;
}

/** How often a busy timeline is drawn anew. */
const DRAW_MS = 150;
/** A move of the clock tells of every instant on the way; it is over when nothing more is told. */
const CLOCK_REST_MS = 400;

export function createInspector(provider: Provider): Inspector {
  const timeline = createTimeline();
  const sessions = new Map<string, SessionResource>();
  const events = new Map<string, EventResource>();
  const deliveries = new Map<string, DeliveryResource>();
  const endpoints = new Map<string, EndpointResource>();
  const requests = new Map<string, RequestResource>();

  const all = signal<readonly PlacedEntry[]>([]);
  const held = signal<readonly PlacedEntry[] | null>(null);
  const sessionList = signal<readonly SessionResource[]>([]);
  const clock = signal<HeardClock | null>(null);
  const recording = signal<RecordingNotes | null>(readNotes());
  const trouble = signal<string | null>(null);
  const isPaused = signal(false);
  const kinds = signal<ReadonlySet<EntryKind>>(new Set(ENTRY_KINDS));
  const sessionId = signal<string | null>(null);
  const text = signal('');

  let drawing: ReturnType<typeof setTimeout> | null = null;
  const draw = (): void => {
    drawing ??= setTimeout(() => {
      drawing = null;
      all.value = timeline.list();
      sessionList.value = [...sessions.values()].toSorted(
        (a, b) => Date.parse(b.createdAt) - Date.parse(a.createdAt),
      );
    }, DRAW_MS);
  };
  const add = (entries: readonly Entry[]): void => {
    timeline.add(entries);
    draw();
  };
  const note = (change: (notes: RecordingNotes) => RecordingNotes): void => {
    if (!recording.value) return;
    recording.value = change(recording.value);
    keepNotes(recording.value);
  };

  function nowMs(): number {
    if (!clock.value) return Date.now();
    const { clock: reading, heardMs } = clock.value;
    return Date.parse(reading.now) + (reading.frozen ? 0 : Date.now() - heardMs);
  }
  const nowIso = (): string => new Date(nowMs()).toISOString();

  const takeRequest = (request: RequestResource): Entry => {
    const entry = toRequestEntry(request);
    requests.set(entry.id, request);
    return entry;
  };
  const takeEndpoint = (endpoint: EndpointResource, heardMs: number): Entry[] => {
    const before = endpoints.get(endpoint.id);
    endpoints.set(endpoint.id, endpoint);
    note((notes) => noteEndpoint(notes, before, endpoint));
    return [
      ...toEndpointEntries(endpoint, heardMs),
      ...toEndpointChanges(before ?? null, endpoint, nowIso(), heardMs),
    ];
  };

  let clockBefore: HeardClock | null = null;
  let clockTimer: ReturnType<typeof setTimeout> | undefined;
  const takeClock = (reading: ClockReading): void => {
    const after = { clock: reading, heardMs: Date.now() };
    clock.value = after;
    timeline.anchor({ virtualMs: Date.parse(reading.now), realMs: after.heardMs });
    clearTimeout(clockTimer);
    clockTimer = setTimeout(() => {
      const entry = clockBefore && toClockEntry(clockBefore, after);
      clockBefore = after;
      if (entry) add([entry]);
    }, CLOCK_REST_MS);
  };

  const hear = ({ topic, data }: LiveNews): void => {
    const heardMs = Date.now();
    if (topic === 'reload') return load();
    if (isDeleted(data)) {
      const { id } = data;
      const gone = topic === 'endpoint' ? (endpoints.get(id) ?? null) : null;
      if (gone) endpoints.delete(id);
      return add(toEndpointChanges(gone, null, nowIso(), heardMs));
    }
    // The pages and the service are one product of one version.
    switch (topic) {
      case 'session': {
        const session = data as SessionResource;
        const before = sessions.get(session.id);
        sessions.set(session.id, session);
        add([
          ...toSessionEntries(session, heardMs),
          ...(before ? toSessionChanges(before, session, nowIso(), heardMs) : []),
        ]);
        return;
      }
      case 'event': {
        const event = data as EventResource;
        events.set(event.id, event);
        return add([toEventEntry(event, heardMs)]);
      }
      case 'delivery': {
        const delivery = data as DeliveryResource;
        const before = deliveries.get(delivery.id);
        deliveries.set(delivery.id, delivery);
        note((notes) => noteDelivery(notes, before, delivery));
        return add(toDeliveryEntries(delivery, heardMs));
      }
      case 'endpoint':
        return add(takeEndpoint(data as EndpointResource, heardMs));
      case 'fault': {
        const fault = data as FaultResource;
        note((notes) => noteFault(notes, fault));
        return add([toFaultEntry(fault, heardMs)]);
      }
      case 'request':
        return add([takeRequest(data as RequestResource)]);
      case 'clock':
        return takeClock({ nextDue: null, ...(data as Omit<ClockReading, 'nextDue'>) });
    }
  };

  let loads = 0;
  function load(): void {
    loads += 1;
    const mine = loads;
    readAll(provider).then(
      (state) => {
        // A later look has begun meanwhile.
        if (mine !== loads) return;
        trouble.value = null;
        const fill = <Item extends { readonly id: string }>(
          map: Map<string, Item>,
          items: readonly Item[],
        ): void => {
          map.clear();
          for (const item of items) map.set(item.id, item);
        };
        fill(sessions, state.sessions);
        fill(events, state.events);
        fill(deliveries, state.deliveries);
        fill(endpoints, state.endpoints);
        requests.clear();
        takeClock(state.clock);
        timeline.replaceService([
          ...[...state.requests, ...readRelayedRequests()].map(takeRequest),
          ...state.sessions.flatMap((session) => toSessionEntries(session, null)),
          ...state.events.map((event) => toEventEntry(event, null)),
          ...state.deliveries.flatMap((delivery) => toDeliveryEntries(delivery, null)),
          ...state.endpoints.flatMap((endpoint) => toEndpointEntries(endpoint, null)),
          ...state.faults.map((fault) => toFaultEntry(fault, null)),
        ]);
        draw();
      },
      (error: unknown) => {
        trouble.value = formatError(error);
      },
    );
  }

  const entries = computed(() => (isPaused.value ? (held.value ?? all.value) : all.value));
  return {
    provider,
    entries,
    shown: computed(() => {
      const filter: EntryFilter = {
        kinds: kinds.value,
        sessionId: sessionId.value,
        text: text.value,
      };
      return filterEntries(entries.value, filter);
    }),
    waiting: computed(() => all.value.length - entries.value.length),
    isPaused,
    isNewestFirst: signal(true),
    kinds,
    sessionId,
    text,
    sessions: sessionList,
    clock,
    recording,
    trouble,
    eventOf: (eventId) => events.get(eventId),
    nowMs,
    async requests() {
      for (const request of await readRequests(provider)) takeRequest(request);
      return [...requests.values()].toSorted((a, b) => (a.realAt < b.realAt ? -1 : 1));
    },
    clear() {
      clearTrace();
      clearRelayedRequests();
      timeline.clear();
      all.value = [];
      held.value = isPaused.value ? [] : null;
    },
    start() {
      add(readTrace().map(toTraceEntry));
      const stops = [
        onTrace((entry) => add([toTraceEntry(entry)])),
        onRelayedRequest((request) => add([takeRequest(request)])),
        // Its first news says to look at everything.
        provider.subscribe(hear),
        isPaused.subscribe((paused) => {
          held.value = paused ? all.peek() : null;
        }),
        recording.subscribe(keepNotes),
      ];
      return () => {
        for (const stop of stops) stop();
        clearTimeout(clockTimer);
        if (drawing !== null) clearTimeout(drawing);
      };
    },
  };
}

interface State {
  readonly clock: ClockReading;
  readonly sessions: readonly SessionResource[];
  readonly events: readonly EventResource[];
  readonly deliveries: readonly DeliveryResource[];
  readonly requests: readonly RequestResource[];
  readonly endpoints: readonly EndpointResource[];
  readonly faults: readonly FaultResource[];
}

async function readAll(provider: Provider): Promise<State> {
  const { client } = provider;
  const most = { limit: 1_000 };
  const [clock, sessions, events, deliveries, requests, tenants, faults] = await Promise.all([
    client.clock.read(),
    client.sessions(most),
    client.events(most),
    client.deliveries(most),
    readRequests(provider),
    client.tenants(),
    client.faults(),
  ]);
  const endpoints = await Promise.all(tenants.map(({ id }) => client.endpoints(id)));
  return { clock, sessions, events, deliveries, requests, endpoints: endpoints.flat(), faults };
}

function readRequests({ client }: Provider): Promise<readonly RequestResource[]> {
  return client.requests({ limit: 500 });
}

function isDeleted(data: unknown): data is { readonly id: string } {
  const { id, deleted }: { id?: unknown; deleted?: unknown } = Object(data);
  return deleted === true && typeof id === 'string';
}
