import { createMockService, type MockService } from 'ofage/mock';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Attention, createAttention } from '../../../../playground/shared/live/attention.ts';
import {
  type Connection,
  type SharedParts,
  findSharedParts,
  followLive,
} from '../../../../playground/shared/live/feed.ts';
import type { LiveMessage } from '../../../../playground/shared/live/messages.ts';

interface TestPage {
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
function aBrowser() {
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

let my: ReturnType<typeof aBrowser>;
beforeEach(() => {
  vi.spyOn(console, 'debug').mockImplementation(() => undefined);
  my = aBrowser();
});
afterEach(async () => {
  await my.close();
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const isOpen = (page: { readonly connection: string }) => page.connection === 'open';

describe('the pages of a browser', () => {
  it('share one stream and all receive the changes in order', async () => {
    const pages = Array.from({ length: 10 }, () => my.openPage());
    await vi.waitFor(() => expect(pages.every(isOpen)).toBe(true));
    const created = [await my.create(), await my.create()];
    await vi.waitFor(() => {
      for (const { sessions } of pages) expect(sessions).toEqual(created);
    });
    expect(my.streams).toBe(1);
    // Each page receives one reload message at the start.
    expect(pages.map(({ reloads }) => reloads)).toEqual(pages.map(() => 1));
  });

  it('continue without a gap when the leader is closed', async () => {
    const pages = [my.openPage(), my.openPage(), my.openPage()] as const;
    await vi.waitFor(() => expect(pages.every(isOpen)).toBe(true));
    const created = [await my.create()];
    await vi.waitFor(() => expect(pages[2].sessions).toEqual(created));
    pages[0].close();
    created.push(await my.create(), await my.create());
    await vi.waitFor(() => {
      for (const page of pages.slice(1)) expect(page.sessions).toEqual(created);
    });
    expect(my.streams).toBe(1);
    expect(my.opened).toHaveLength(2);
    expect(my.opened[1]).not.toBeNull();
    expect(pages[1].reloads + pages[2].reloads).toBe(2);
  });

  it('elect a new leader when the old one is hidden, and the hidden page still receives every change', async () => {
    const [first, second] = [my.openPage(), my.openPage()];
    await vi.waitFor(() => expect([first, second].every(isOpen)).toBe(true));
    first.hide();
    await vi.waitFor(() => expect(my.opened).toHaveLength(2));
    const id = await my.create();
    await vi.waitFor(() => {
      expect(second.sessions).toEqual([id]);
      expect(first.sessions).toEqual([id]);
    });
    expect(first.connection).toBe('paused');
    expect(my.streams).toBe(1);
    first.show();
    await vi.waitFor(() => expect(isOpen(first)).toBe(true));
    expect([first.reloads, second.reloads]).toEqual([1, 1]);
  });

  it('close the stream while all are hidden, and resume it from the last message', async () => {
    const pages = [my.openPage(), my.openPage()] as const;
    await vi.waitFor(() => expect(pages.every(isOpen)).toBe(true));
    for (const page of pages) page.hide();
    await vi.waitFor(() => expect(my.streams).toBe(0));
    const created = [await my.create(), await my.create()];
    pages[1].show();
    await vi.waitFor(() => {
      for (const { sessions } of pages) expect(sessions).toEqual(created);
    });
    expect(my.opened.at(-1)).not.toBeNull();
    expect(pages.map(({ reloads }) => reloads)).toEqual([1, 1]);
  });

  it('keep the stream open for a hidden page until its hold is released', async () => {
    const page = my.openPage();
    const letGo = page.attention.hold();
    await vi.waitFor(() => expect(isOpen(page)).toBe(true));
    page.hide();
    const id = await my.create();
    await vi.waitFor(() => expect(page.sessions).toEqual([id]));
    letGo();
    letGo();
    await vi.waitFor(() => expect(my.streams).toBe(0));
  });

  it('all report a lost connection within 6 seconds', async () => {
    const pages = [my.openPage(), my.openPage(), my.openPage()];
    await vi.waitFor(() => expect(pages.every(isOpen)).toBe(true));
    my.breakDown();
    await my.service.close();
    await vi.waitFor(
      () => expect(pages.map(({ connection }) => connection)).toEqual(['lost', 'lost', 'lost']),
      6_000,
    );
  });
});

describe('a page', () => {
  it('replaces a hanging leader within 6 seconds', async () => {
    // The channel of the leader stops sending, as if the browser had frozen the leader's page.
    let isStuck = false;
    const stuck = my.openPage((parts) => ({
      ...parts,
      openChannel(name, hear) {
        const channel = parts.openChannel(name, hear);
        return { ...channel, send: (message) => void (isStuck || channel.send(message)) };
      },
    }));
    const page = my.openPage();
    await vi.waitFor(() => expect([stuck, page].every(isOpen)).toBe(true));
    isStuck = true;
    const id = await my.create();
    await vi.waitFor(() => expect(page.sessions).toEqual([id]), 6_000);
    await vi.waitFor(() => expect(my.streams).toBe(1));
    // The former leader now follows.
    const next = await my.create();
    await vi.waitFor(() => expect(page.sessions).toEqual([id, next]));
    await vi.waitFor(() => expect(stuck.sessions).toEqual([id, next]));
    expect(stuck.reloads).toBe(1);
    expect(my.streams).toBe(1);
  });

  it('receives a reload message after it has missed a change', async () => {
    const leader = my.openPage();
    await vi.waitFor(() => expect(isOpen(leader)).toBe(true));
    let isDeaf = false;
    const page = my.openPage((parts) => ({
      ...parts,
      openChannel: (name, hear) =>
        parts.openChannel(name, (message) => void (isDeaf || hear(message))),
    }));
    await vi.waitFor(() => expect(page.reloads).toBe(1));
    isDeaf = true;
    await my.create();
    await vi.waitFor(() => expect(leader.sessions).toHaveLength(1));
    await new Promise((resolve) => setTimeout(resolve, 50));
    isDeaf = false;
    await vi.waitFor(() => expect(page.reloads).toBe(2), 2_000);
    const id = await my.create();
    await vi.waitFor(() => expect(page.sessions).toEqual([id]));
  });

  it.each([
    { why: 'a context that is not secure', change: () => null },
    {
      why: 'a frame that may not use locks',
      change: (parts: Parameters<NonNullable<Parameters<typeof my.openPage>[0]>>[0]) => ({
        ...parts,
        locks: {
          request: () => Promise.reject(new DOMException('Not allowed', 'SecurityError')),
        } as unknown as LockManager,
      }),
    },
  ])('opens a separate stream in $why', async ({ change }) => {
    const page = my.openPage(change);
    await vi.waitFor(() => expect(isOpen(page)).toBe(true));
    const id = await my.create();
    await vi.waitFor(() => expect(page.sessions).toEqual([id]));
  });
});
