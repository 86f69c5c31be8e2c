import { type ReadonlySignal, type Signal, computed, signal } from '@preact/signals';
import type { EventResource, RequestResource, SessionResource } from 'ofage/mock';
import type { Provider } from '../shared/provider.ts';
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
import { SESSIONS, type ServiceFeed, type ServiceListener, followService } from './service-feed.ts';
import { createTimeline } from './timeline.ts';
import { toTraceEntry } from './to-entries.ts';

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
  /** The service's time, every second. */
  readonly nowMs: ReadonlySignal<number>;
  /** Null while nothing is recorded. */
  readonly recording: Signal<RecordingNotes | null>;
  /** Why the lists could not be read; empty when they could. */
  readonly trouble: ReadonlySignal<string>;
  eventOf(eventId: string): EventResource | undefined;
  /** All requests up to now, oldest first; what is known here may be a page load behind. */
  requests(): Promise<readonly RequestResource[]>;
  clear(): void;
  /** @returns how to stop */
  start(): () => void;
}

/** How often a busy timeline is drawn anew. */
const DRAW_MS = 150;

export function createInspector(provider: Provider): Inspector {
  const { live } = provider;
  const timeline = createTimeline();

  const all = signal<readonly PlacedEntry[]>([]);
  const held = signal<readonly PlacedEntry[] | null>(null);
  const sessionList = signal<readonly SessionResource[]>([]);
  const recording = signal<RecordingNotes | null>(readNotes());
  const isPaused = signal(false);
  const kinds = signal<ReadonlySet<EntryKind>>(new Set(ENTRY_KINDS));
  const sessionId = signal<string | null>(null);
  const text = signal('');

  let drawing: ReturnType<typeof setTimeout> | null = null;
  const draw = (): void => {
    drawing ??= setTimeout(() => {
      drawing = null;
      all.value = timeline.list();
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
  const listener: ServiceListener = {
    add,
    replace(entries) {
      timeline.replaceService(entries);
      draw();
    },
    anchor: ({ now }, realMs) => timeline.anchor({ virtualMs: Date.parse(now), realMs }),
    onDelivery: (before, after) => note((notes) => noteDelivery(notes, before, after)),
    onEndpoint: (before, after) => note((notes) => noteEndpoint(notes, before, after)),
    onFault: (fault) => note((notes) => noteFault(notes, fault)),
  };
  const feed = signal<ServiceFeed | null>(null);

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
    nowMs: live.clock.nowMs,
    recording,
    trouble: computed(
      () => feed.value?.lists.map((list) => list.trouble.value).find((text) => text !== '') ?? '',
    ),
    eventOf: (eventId) => feed.peek()?.events.get(eventId),
    async requests() {
      const newest = await provider.client.requests({ limit: 500 });
      const all = new Map(feed.peek()?.requests);
      for (const request of newest) all.set(String(request.id), request);
      return [...all.values()].toSorted((a, b) => (a.realAt < b.realAt ? -1 : 1));
    },
    clear() {
      clearTrace();
      timeline.clear();
      all.value = [];
      held.value = isPaused.value ? [] : null;
    },
    start() {
      add(readTrace().map(toTraceEntry));
      const following = followService(live, listener);
      feed.value = following;
      const opened = live.openList(SESSIONS);
      const stops = [
        onTrace((entry) => add([toTraceEntry(entry)])),
        following.close,
        opened.list.data.subscribe((items) => (sessionList.value = items?.toReversed() ?? [])),
        opened.close,
        isPaused.subscribe((paused) => {
          held.value = paused ? all.peek() : null;
        }),
        recording.subscribe(keepNotes),
      ];
      return () => {
        for (const stop of stops) stop();
        if (drawing !== null) clearTimeout(drawing);
      };
    },
  };
}
