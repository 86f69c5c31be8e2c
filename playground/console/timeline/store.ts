import { computed, signal } from '@preact/signals';
import type { Provider } from '../../shared/provider.ts';
import { clearTrace, onTrace, readTrace } from '../../shared/trace.ts';
import type { PlacedEntry } from './order-entries.ts';
import { followService } from './service-feed.ts';
import { createTimeline } from './timeline.ts';
import { toTraceEntry } from './to-entries.ts';

/** The time between two renders of a busy timeline. */
const DRAW_MS = 150;

export type TimelineStore = ReturnType<typeof createTimelineStore>;

/** Creates the timeline, which follows the service and the shop's pages as long as the page is open. */
export function createTimelineStore(provider: Pick<Provider, 'live' | 'client'>) {
  const all = signal<readonly PlacedEntry[]>([]);
  /** The entries on display during a pause. */
  const held = signal<readonly PlacedEntry[] | null>(null);
  const entries = computed(() => held.value ?? all.value);

  let drawing: ReturnType<typeof setTimeout> | null = null;
  const timeline = createTimeline(() => {
    drawing ??= setTimeout(() => {
      drawing = null;
      all.value = timeline.list();
    }, DRAW_MS);
  });
  timeline.add(readTrace().map(toTraceEntry));
  onTrace((entry) => timeline.add([toTraceEntry(entry)]));
  const { sessions, error, events } = followService(provider, timeline);

  return {
    /** The entries, oldest first. While the timeline is paused, only `clear` changes them. */
    entries,
    /** The number of entries that have arrived since the pause began. */
    waiting: computed(() => all.value.length - entries.value.length),
    isPaused: computed(() => held.value !== null),
    togglePause: () => void (held.value = held.value === null ? all.value : null),
    isNewestFirst: signal(true),
    /** The sessions, newest first. */
    sessions,
    /** The reason why the lists could not be loaded. Empty if there was no error. */
    error,
    eventOf: (eventId: string) => events.get(eventId),
    /** Removes all entries and deletes the trace that the shop's pages recorded. */
    clear() {
      clearTrace();
      timeline.clear();
      all.value = [];
      if (held.value !== null) held.value = [];
    },
  };
}
