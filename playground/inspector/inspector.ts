import { type ReadonlySignal, type Signal, computed, signal } from '@preact/signals';
import type { EventResource, SessionResource } from 'ofage/mock';
import type { Provider } from '../shared/provider.ts';
import { ENTRY_KINDS, type EntryKind } from './entry.ts';
import { type EntryStore, createEntryStore } from './entry-store.ts';
import { filterEntries } from './filter-entries.ts';
import type { PlacedEntry } from './order-entries.ts';
import { parseRoute } from './route.ts';
import { type ServiceFeed, followService } from './service-feed.ts';

export interface Inspector extends Pick<EntryStore, 'entries' | 'waiting' | 'isPaused' | 'clear'> {
  readonly provider: Provider;
  /** The entries that match the filters. */
  readonly shown: ReadonlySignal<readonly PlacedEntry[]>;
  readonly isNewestFirst: Signal<boolean>;
  readonly kinds: Signal<ReadonlySet<EntryKind>>;
  readonly sessionId: Signal<string | null>;
  readonly text: Signal<string>;
  /** The sessions, newest first. */
  readonly sessions: ReadonlySignal<readonly SessionResource[]>;
  /** The time on the service's clock, updated every second. */
  readonly nowMs: ReadonlySignal<number>;
  /** The reason why the lists could not be loaded. Empty if there was no error. */
  readonly loadError: ReadonlySignal<string>;
  eventOf(eventId: string): EventResource | undefined;
  /** Starts to follow the service and the shop's pages. @returns a function that stops it */
  start(): () => void;
}

export function createInspector(provider: Provider): Inspector {
  const { live } = provider;
  const store = createEntryStore();
  const filters = createFilters();
  const feed = signal<ServiceFeed | null>(null);
  const { entries, waiting, isPaused, clear } = store;
  return {
    provider,
    entries,
    waiting,
    isPaused,
    clear,
    ...filters,
    shown: computed(() => {
      const { kinds, sessionId, text } = filters;
      const filter = { kinds: kinds.value, sessionId: sessionId.value, text: text.value };
      return filterEntries(entries.value, filter);
    }),
    isNewestFirst: signal(true),
    sessions: computed(() => feed.value?.sessions.value ?? []),
    nowMs: live.clock.nowMs,
    loadError: computed(() => feed.value?.error.value ?? ''),
    eventOf: (eventId) => feed.peek()?.events.get(eventId),
    start() {
      const following = followService(provider, store.listener);
      feed.value = following;
      const onHash = (): void => {
        const { sessionId, text } = parseRoute(location.hash);
        filters.sessionId.value = sessionId;
        filters.text.value = text;
      };
      window.addEventListener('hashchange', onHash);
      const stops = [
        () => window.removeEventListener('hashchange', onHash),
        store.follow(),
        following.close,
      ];
      return () => {
        for (const stop of stops) stop();
      };
    },
  };
}

/** Creates the filters. A link to the inspector can set them. */
function createFilters(): Pick<Inspector, 'kinds' | 'sessionId' | 'text'> {
  const { sessionId, text } = parseRoute(location.hash);
  return {
    kinds: signal<ReadonlySet<EntryKind>>(new Set(ENTRY_KINDS)),
    sessionId: signal(sessionId),
    text: signal(text),
  };
}
