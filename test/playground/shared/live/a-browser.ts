import { createMockService, type MockService } from 'ofage/mock';
import { type Attention, createAttention } from '../../../../playground/shared/live/attention.ts';
import {
  type Connection,
  type SharedParts,
  findSharedParts,
  followLive,
} from '../../../../playground/shared/live/feed.ts';
import type { LiveMessage } from '../../../../playground/shared/live/messages.ts';

export interface TestPage {
  readonly news: readonly LiveMessage[];
  readonly connection: Connection;
  /** Number of reload messages that the page received. */
  readonly reloads: number;
  /** The ids of the sessions that the page was notified about, in order. */
  readonly sessions: readonly string[];
  hide(): void;
  show(): void;
  readonly attention: Attention;
  close(): void;
}

let count = 0;

/** Creates pages of one origin with real Web Locks, a real BroadcastChannel and a real mock service. */
export function aBrowser() {
  const service: MockService = createMockService({ clock: { frozen: true } });
  const name = `browser ${(count += 1)}`;
  const opened: (string | null)[] = [];
  const pages: TestPage[] = [];
  let streams = 0;
  let isDown = false;

  function openPage(change: (parts: SharedParts) => SharedParts | null = (parts) => parts) {
    const page = Object.assign(new EventTarget(), { visibilityState: 'visible' });
    const attention = createAttention(page as unknown as Document);
    const news: LiveMessage[] = [];
    let connection: Connection = 'opening';
    const parts = findSharedParts(name);
    const stop = followLive(
      {
        attention,
        shared: parts && change(parts),
        async open(lastId, signal) {
          if (isDown) throw new TypeError('fetch failed');
          opened.push(lastId);
          streams += 1;
          signal.addEventListener('abort', () => (streams -= 1), { once: true });
          return service.fetch(
            new Request(`${service.apiOrigin}/control/v1/stream`, {
              headers: lastId === null ? {} : { 'last-event-id': lastId },
              signal,
            }),
          );
        },
      },
      { onMessage: (one) => news.push(one), onConnection: (next) => (connection = next) },
    );
    const see = (visibilityState: string): void => {
      page.visibilityState = visibilityState;
      page.dispatchEvent(new Event('visibilitychange'));
    };
    const opening: TestPage = {
      news,
      attention,
      get connection() {
        return connection;
      },
      get reloads() {
        return news.filter(({ topic }) => topic === 'reload').length;
      },
      get sessions() {
        return news.filter(({ topic }) => topic === 'session').map(({ data }) => Object(data).id);
      },
      hide: () => see('hidden'),
      show: () => see('visible'),
      close: stop,
    };
    pages.push(opening);
    return opening;
  }

  return {
    service,
    openPage,
    /** The last event id with which each stream was opened. */
    opened: opened as readonly (string | null)[],
    /** Number of open streams. */
    get streams() {
      return streams;
    },
    breakDown() {
      isDown = true;
    },
    /** Creates a session. @returns its id */
    create: async () => (await service.control.trigger({ name: 'never' })).id,
    async close(): Promise<void> {
      for (const page of pages) page.close();
      await service.close();
    },
  };
}
