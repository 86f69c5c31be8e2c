import { type ReadonlySignal, type Signal, computed, signal } from '@preact/signals';
import type { EventResource, SessionResource } from 'ofage/mock';
import type { Provider } from '../../shared/provider.ts';
import { clearTrace, onTrace, readTrace } from '../../shared/trace.ts';
import { ENTRY_KINDS, type EntryKind, filterEntries } from './entry.ts';
import type { PlacedEntry } from './order-entries.ts';
import { type ServiceListener, followService } from './service-feed.ts';
import { createTimeline } from './timeline.ts';
import { toTraceEntry } from './to-entries.ts';

/** The state of the page Timeline. */
export interface TimelineStore {
  /** The entries, oldest first. While the timeline is paused, only `clear` changes them. */
  readonly entries: ReadonlySignal<readonly PlacedEntry[]>;
  /** The entries that match the filters. */
  readonly shown: ReadonlySignal<readonly PlacedEntry[]>;
  /** The number of entries that have arrived since the pause began. */
  readonly waiting: ReadonlySignal<number>;
  readonly isPaused: Signal<boolean>;
  readonly isNewestFirst: Signal<boolean>;
  readonly kinds: Signal<ReadonlySet<EntryKind>>;
  readonly sessionId: Signal<string | null>;
  readonly text: Signal<string>;
  /** The sessions, newest first. */
  readonly sessions: ReadonlySignal<readonly SessionResource[]>;
  /** The reason why the lists could not be loaded. Empty if there was no error. */
  readonly loadError: ReadonlySignal<string>;
  eventOf(eventId: string): EventResource | undefined;
  /** Removes all entries and deletes the trace that the shop's pages recorded. */
  clear(): void;
  /** Stops following the service and the shop's pages. */
  close(): void;
}

/** The time between two renders of a busy timeline. */
const DRAW_MS = 150;

/** Creates the timeline, which follows the service and the shop's pages until it is closed. */
export function createTimelineStore(provider: Pick<Provider, 'live' | 'client'>): TimelineStore {
  const timeline = createTimeline();
  const all = signal<readonly PlacedEntry[]>([]);
  const held = signal<readonly PlacedEntry[] | null>(null);
  const isPaused = signal(false);
  const entries = computed(() => (isPaused.value ? (held.value ?? all.value) : all.value));
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
  const listener: ServiceListener = {
    add(added) {
      timeline.add(added);
      draw();
    },
    replace(serviceEntries) {
      timeline.replaceService(serviceEntries);
      draw();
    },
    anchor: ({ now, frozen }, realMs) =>
      timeline.anchor({ virtualMs: Date.parse(now), realMs, isFrozen: frozen }),
  };
  listener.add(readTrace().map(toTraceEntry));
  const feed = followService(provider, listener);
  const stops = [
    onTrace((entry) => listener.add([toTraceEntry(entry)])),
    isPaused.subscribe((paused) => void (held.value = paused ? all.peek() : null)),
    feed.close,
  ];

  return {
    entries,
    shown: computed(() =>
      filterEntries(entries.value, {
        kinds: kinds.value,
        sessionId: sessionId.value,
        text: text.value,
      }),
    ),
    waiting: computed(() => all.value.length - entries.value.length),
    isPaused,
    isNewestFirst: signal(true),
    kinds,
    sessionId,
    text,
    sessions: feed.sessions,
    loadError: feed.error,
    eventOf: (eventId) => feed.events.get(eventId),
    clear() {
      clearTrace();
      timeline.clear();
      all.value = [];
      held.value = isPaused.value ? [] : null;
    },
    close() {
      for (const stop of stops) stop();
      if (drawing !== null) clearTimeout(drawing);
    },
  };
}
