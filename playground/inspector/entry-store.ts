import { type ReadonlySignal, type Signal, computed, signal } from '@preact/signals';
import { clearTrace, onTrace, readTrace } from '../shared/trace.ts';
import type { PlacedEntry } from './order-entries.ts';
import type { ServiceListener } from './service-feed.ts';
import { createTimeline } from './timeline.ts';
import { toTraceEntry } from './to-entries.ts';

/** The entries of the timeline, as they are displayed. */
export interface EntryStore {
  /** The entries, oldest first. While the timeline is paused, only `clear` changes them. */
  readonly entries: ReadonlySignal<readonly PlacedEntry[]>;
  /** The number of entries that have arrived since the pause began. */
  readonly waiting: ReadonlySignal<number>;
  readonly isPaused: Signal<boolean>;
  /** Receives the entries of the service. */
  readonly listener: ServiceListener;
  /** Removes all entries and deletes the trace that the shop's pages recorded. */
  clear(): void;
  /** Adds the recorded and the future entries of the shop's pages. @returns a function that stops it */
  follow(): () => void;
}

/** The time between two renders of a busy timeline. */
const DRAW_MS = 150;

export function createEntryStore(): EntryStore {
  const timeline = createTimeline();
  const all = signal<readonly PlacedEntry[]>([]);
  const held = signal<readonly PlacedEntry[] | null>(null);
  const isPaused = signal(false);
  const entries = computed(() => (isPaused.value ? (held.value ?? all.value) : all.value));

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

  return {
    entries,
    waiting: computed(() => all.value.length - entries.value.length),
    isPaused,
    listener,
    clear() {
      clearTrace();
      timeline.clear();
      all.value = [];
      held.value = isPaused.value ? [] : null;
    },
    follow() {
      listener.add(readTrace().map(toTraceEntry));
      const stops = [
        onTrace((entry) => listener.add([toTraceEntry(entry)])),
        isPaused.subscribe((paused) => (held.value = paused ? all.peek() : null)),
      ];
      return () => {
        for (const stop of stops) stop();
        if (drawing !== null) clearTimeout(drawing);
      };
    },
  };
}
