import { computed, signal } from '@preact/signals';
import type { EventResource, SessionResource } from 'ofage-mock';
import type { Provider } from '../../shared/provider.ts';
import type { Entry } from './entry.ts';
import { orderEntries } from './order-entries.ts';
import { followService, type ServiceFeed } from './service-feed.ts';
import { sessionHistory, type SessionHistory, toHistoryEntries } from './session-history.ts';

/** The time between two renders of a busy timeline. */
const DRAW_MS = 150;

export type TimelineStore = ReturnType<typeof createTimelineStore>;

/** Creates the timeline of a page. It is empty until `follow` is called. */
export function createTimelineStore({ live, client }: Pick<Provider, 'live' | 'client'>) {
  const all = signal<readonly Entry[]>([]);
  /** The entries on display during a pause. */
  const held = signal<readonly Entry[] | null>(null);
  const entries = computed(() => held.value ?? all.value);
  const sessions = signal<readonly SessionResource[]>([]);
  const error = signal('');
  const hasOlder = signal(false);
  /** The ids of the entries that the user has cleared. */
  const cleared = new Set<string>();

  let feed: ServiceFeed | null = null;
  let history: SessionHistory | null = null;

  function list(): Entry[] {
    const known = [...(history ? toHistoryEntries(history) : []), ...(feed?.entries() ?? [])];
    // A session that was chosen and is recent is in both.
    const byId = new Map(known.map((entry) => [entry.id, entry]));
    return orderEntries([...byId.values()].filter(({ id }) => !cleared.has(id)));
  }

  let drawing: ReturnType<typeof setTimeout> | null = null;
  function drawSoon(): void {
    drawing ??= setTimeout(draw, DRAW_MS);
  }
  function draw(): void {
    drawing = null;
    all.value = list();
    const known = feed?.sessions() ?? [];
    const chosen = history?.session;
    const isMissing = chosen && !known.some(({ id }) => id === chosen.id);
    sessions.value = isMissing ? [...known, chosen] : known;
    hasOlder.value = feed?.hasOlder() ?? false;
  }

  return {
    /** The entries, oldest first. While the timeline is paused, only `clear` changes them. */
    entries,
    /** The number of entries that have arrived since the pause began. */
    waiting: computed(() => {
      if (held.value === null) return 0;
      // As many may have left the lists, so the difference of the lengths says nothing.
      const known = new Set(held.value.map(({ id }) => id));
      return all.value.filter(({ id }) => !known.has(id)).length;
    }),
    isPaused: computed(() => held.value !== null),
    togglePause(): void {
      held.value = held.value === null ? all.value : null;
    },
    /** The sessions, newest first. */
    sessions,
    /** The reason why the lists could not be loaded. Empty if there was no error. */
    error,
    /** True if the service has entries that are older than all of these. */
    hasOlder,
    readOlder: async () => feed?.readOlder(),
    eventOf: (eventId: string): EventResource | undefined =>
      feed?.eventOf(eventId) ?? history?.events.find(({ id }) => id === eventId),
    /**
     * Follows the service.
     * @returns a function that stops this
     */
    follow(): () => void {
      const following = followService({ live, client }, drawSoon);
      feed = following;
      const stopError = following.error.subscribe((text) => (error.value = text));
      drawSoon();
      return () => {
        stopError();
        following.close();
      };
    },
    /**
     * Adds all entries of a session, which may be older than those that are read at first.
     * @returns a function that stops this
     */
    choose(sessionId: string): () => void {
      const opened = live.open(sessionHistory(client, sessionId));
      const stop = opened.data.subscribe((data) => {
        history = data;
        drawSoon();
      });
      return () => {
        stop();
        opened.close();
        history = null;
        drawSoon();
      };
    },
    /** Removes all entries. */
    clear() {
      for (const { id } of list()) cleared.add(id);
      all.value = [];
      if (held.value !== null) held.value = [];
    },
  };
}
